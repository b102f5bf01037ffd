import type { ChildProcess } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type pg from "pg"
import { type OwnsAction, readActionMap } from "@/lib/server/api/action-map"
import type { ConsoleHandler } from "@/lib/server/api/route"
import { type ProcessState, readProcessState } from "@/lib/server/health/process-state"
import { runtime } from "@/lib/server/platform/runtime"
import type { FromConsole, ToConsole } from "./console-process"
import { ConsoleLink } from "./forward-to-console"
import { answerWith, type Question } from "./server-line"
import { killWhenHung, programFile, SupervisedProcess } from "./supervised-process"

const REPORT_MS = 1_000

interface ConsoleOptions {
  database: pg.PoolConfig
  /** The folder of the project. */
  root: string
  /** The file to run instead of the console's program. */
  program?: string
  /** How often the process is asked for a sign of life, in ms. */
  pingMs?: number
  /** Receives the socket of the process that is ready, and null while there is none. */
  onSocket?(socketPath: string | null): void
  /** Reads what the console shows about this server. By default the state of this process. */
  readState?(): Promise<ProcessState>
}

/** Renders the console in a process of its own and restarts it when it ends, so that it cannot delay or end the API. */
export class ConsoleSupervisor {
  readonly #link = new ConsoleLink()
  readonly #process: SupervisedProcess<FromConsole & { type: "ready" }>
  readonly #root: string
  #folder = ""

  constructor({
    program = programFile("console-process"),
    pingMs,
    readState = () => readProcessState(runtime()),
    onSocket = () => {},
    database,
    root,
  }: ConsoleOptions) {
    this.#root = root
    const setSocket = (socketPath: string | null) => {
      this.#link.socketPath = socketPath
      onSocket(socketPath)
    }
    const socketOf = (starts: number) => path.join(this.#folder, `${starts}.sock`)
    this.#process = new SupervisedProcess({
      name: "console",
      program,
      startMessage: (starts): ToConsole => ({ type: "start", database, root, socketPath: socketOf(starts) }),
      onReady: (_ready, starts) => setSocket(socketOf(starts)),
      onEnd: () => setSocket(null),
      watch: (child, send) => watch(child, send, pingMs, readState),
    })
  }

  /** Resolves when the console is ready. Rejects when its first process cannot start. */
  async start(): Promise<void> {
    // Only this user can enter the folder, so only the server can set the headers that the console trusts.
    this.#folder = await mkdtemp(path.join(tmpdir(), "svcd-console-"))
    await this.#process.start()
    this.#link.ownsAction = readActionMap(this.#root)
  }

  readonly handle: ConsoleHandler = (request, response, place) => this.#link.handle(request, response, place)

  readonly ownsAction: OwnsAction = (page, id) => this.#link.ownsAction(page, id)

  /** False while the process is being replaced. */
  get isUp(): boolean {
    return this.#link.socketPath !== null
  }

  async close(): Promise<void> {
    this.#link.socketPath = null
    await this.#process.close()
    this.#link.close()
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
  }
}

async function answer(question: Question, readState: () => Promise<ProcessState>): Promise<unknown> {
  if (question.name === "probe") return runtime().engines.probeNow(question.modelId)
  if (question.name === "examples") return runtime().answerExamples(question.modelId)
  return question.name === "state" ? readState() : undefined
}

/**
 * Sends the engines' availability when it changes, counts what the process reports, answers its questions, and kills a process
 * that hangs. Returns a function that stops it all.
 */
function watch(
  child: ChildProcess,
  send: (message: ToConsole) => void,
  pingMs: number | undefined,
  readState: () => Promise<ProcessState>,
): () => void {
  let sent = ""
  const report = () => {
    const engines = runtime().engines.reports()
    if (sent === JSON.stringify(engines)) return
    sent = JSON.stringify(engines)
    send({ type: "engines", engines })
  }
  child.on("message", (message: FromConsole) => {
    if (message.type === "signIn") runtime().metrics.signIn(message.event)
    else if (message.type === "mail") runtime().metrics.mail(message.outcome)
    else if (message.type === "outcomeAlarm") runtime().metrics.outcomeAlarm(message.claim)
    else if (message.type === "question")
      void answerWith(message.id, answer(message.question, readState), (given) =>
        send({ type: "answer", answer: given }),
      )
  })
  const timer = setInterval(report, REPORT_MS)
  timer.unref()
  const stopPings = killWhenHung(child, send, pingMs)
  report()
  return () => {
    clearInterval(timer)
    stopPings()
  }
}
