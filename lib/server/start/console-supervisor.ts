import type { ChildProcess } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import * as http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import type pg from "pg"
import { sendConsoleUnavailable } from "@/lib/server/api/console-unavailable"
import type { Handler } from "@/lib/server/api/route"
import { readProcessState } from "@/lib/server/health/process-state"
import { runtime } from "@/lib/server/platform/runtime"
import type { FromConsole, ToConsole } from "./console-process"
import { forwardToConsole } from "./forward-to-console"
import type { Question } from "./server-line"
import { programFile, SupervisedProcess } from "./supervised-process"

const REPORT_MS = 1_000
const PING_MS = 10_000
/** A process that does not respond for this long is killed. */
const HUNG_MS = 60_000

interface ConsoleOptions {
  database: pg.PoolConfig
  /** The folder of the project. */
  root: string
  /** The file to run instead of the console's program. */
  program?: string
  /** How often the process is asked for a sign of life, in ms. */
  pingMs?: number
}

/** Renders the console in a process of its own and restarts it when it ends, so that it cannot delay or end the API. */
export class ConsoleSupervisor {
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 })
  readonly #process: SupervisedProcess<FromConsole & { type: "ready" }>
  #folder = ""
  /** The socket of the process that is ready; null while there is none. */
  #socketPath: string | null = null

  constructor({ program = programFile("console-process"), pingMs = PING_MS, database, root }: ConsoleOptions) {
    const socketOf = (starts: number) => path.join(this.#folder, `${starts}.sock`)
    this.#process = new SupervisedProcess({
      name: "console",
      program,
      startMessage: (starts): ToConsole => ({ type: "start", database, root, socketPath: socketOf(starts) }),
      onReady: (_ready, starts) => {
        this.#socketPath = socketOf(starts)
      },
      onEnd: () => {
        this.#socketPath = null
      },
      watch: (child, send) => watch(child, send, pingMs),
    })
  }

  /** Resolves when the console is ready. Rejects when its first process cannot start. */
  async start(): Promise<void> {
    // Only this user can enter the folder, so only the server can set the headers that the console trusts.
    this.#folder = await mkdtemp(path.join(tmpdir(), "svcd-console-"))
    await this.#process.start()
  }

  readonly handle: Handler = (request, response) => {
    const socketPath = this.#socketPath
    if (socketPath === null) return sendConsoleUnavailable(request, response, 503)
    return forwardToConsole(request, response, { socketPath, agent: this.#agent })
  }

  /** False while the process is being replaced. */
  get isUp(): boolean {
    return this.#socketPath !== null
  }

  async close(): Promise<void> {
    this.#socketPath = null
    await this.#process.close()
    this.#agent.destroy()
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
  }
}

const answer = (question: Question): Promise<unknown> =>
  question.name === "state" ? readProcessState() : runtime().engines.probeNow(question.modelId)

/**
 * Sends the engines' availability when it changes, counts what the process reports, answers its questions, and kills a process
 * that hangs. Returns a function that stops all of it.
 */
function watch(child: ChildProcess, send: (message: ToConsole) => void, pingMs: number): () => void {
  let sent = ""
  let respondedAt = performance.now()
  const report = () => {
    const engines = runtime().engines.availabilities()
    if (sent === JSON.stringify(engines)) return
    sent = JSON.stringify(engines)
    send({ type: "engines", engines })
  }
  const ping = () => {
    if (performance.now() - respondedAt > HUNG_MS) child.kill("SIGKILL")
    else send({ type: "ping" })
  }
  child.on("message", (message: FromConsole) => {
    respondedAt = performance.now()
    if (message.type === "signIn") runtime().metrics.signIn(message.event)
    else if (message.type === "mail") runtime().metrics.mail(message.outcome)
    else if (message.type === "question") {
      const { id } = message
      answer(message.question).then(
        (value) => send({ type: "answer", answer: { id, value } }),
        () => send({ type: "answer", answer: { id } }),
      )
    }
  })
  const timers = [setInterval(report, REPORT_MS), setInterval(ping, pingMs)]
  for (const timer of timers) timer.unref()
  report()
  return () => timers.forEach(clearInterval)
}
