import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import * as http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type pg from "pg"
import { sendConsoleUnavailable } from "@/lib/server/api/console-unavailable"
import type { Handler } from "@/lib/server/api/route"
import { runtime } from "@/lib/server/platform/runtime"
import type { FromConsole, ToConsole } from "./console-process"
import { forwardToConsole } from "./forward-to-console"

const FIRST_RESTART_MS = 250
const MAX_RESTART_MS = 10_000
/** A process that was ready for this long starts the delays again. */
const STABLE_MS = 60_000
const REPORT_MS = 1_000
const PING_MS = 10_000
/** A process that does not respond for this long is killed. */
const HUNG_MS = 60_000
const EXIT_MS = 5_000

interface ConsoleOptions {
  database: pg.PoolConfig
  /** The folder of the project. */
  root: string
  /** The file to run instead of the console's program. */
  program?: string
  /** How often the process is asked for a sign of life, in ms. */
  pingMs?: number
}

/** Returns the program of the console's process: the bundle next to the built server, or the source. */
function programFile(): string {
  const built = fileURLToPath(new URL("./console-process.js", import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL("./console-process.ts", import.meta.url))
}

/** Renders the console in a process of its own and restarts it when it ends, so that it cannot delay or end the API. */
export class ConsoleSupervisor {
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 })
  #folder = ""
  #starts = 0
  #quickExits = 0
  #child: ChildProcess | null = null
  /** The socket of the process that is ready; null while there is none. */
  #socketPath: string | null = null
  #isClosed = false

  constructor(private readonly options: ConsoleOptions) {}

  /** Resolves when the console is ready. Rejects when its first process cannot start. */
  async start(): Promise<void> {
    // Only this user can enter the folder, so only the server can set the headers that the console trusts.
    this.#folder = await mkdtemp(path.join(tmpdir(), "svcd-console-"))
    await this.#launch()
  }

  readonly handle: Handler = (request, response) => {
    const socketPath = this.#socketPath
    if (socketPath === null) return sendConsoleUnavailable(request, response, 503)
    return forwardToConsole(request, response, { socketPath, agent: this.#agent })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socketPath = null
    const child = this.#child
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit")
      if (child.connected) child.disconnect()
      const kill = setTimeout(() => child.kill("SIGKILL"), EXIT_MS)
      await ended
      clearTimeout(kill)
    }
    this.#agent.destroy()
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
  }

  /** Starts a process. Resolves when it is ready, and rejects when it ends before. */
  #launch(): Promise<void> {
    const socketPath = path.join(this.#folder, `${++this.#starts}.sock`)
    const { program = programFile(), pingMs = PING_MS, ...started } = this.options
    const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
    this.#child = child
    const send = (message: ToConsole) => void (child.connected && child.send(message, () => {}))
    const stopWatching = watch(child, send, pingMs)
    return new Promise((resolve, reject) => {
      let reason = "the console's process ended"
      let readyAt = 0
      let hasEnded = false
      const onEnd = () => {
        if (hasEnded) return
        hasEnded = true
        stopWatching()
        this.#socketPath = null
        reject(new Error(`The console did not start: ${reason}`))
        if (readyAt > 0 || this.#starts > 1) void this.#restart(readyAt)
      }
      child.on("message", (message: FromConsole) => {
        if (message.type === "failed") {
          reason = message.reason
          child.kill("SIGKILL")
        } else if (message.type === "ready") {
          readyAt = performance.now()
          this.#socketPath = socketPath
          resolve()
        }
      })
      child.once("error", (error) => {
        reason = error.message
        if (child.pid === undefined) onEnd()
      })
      child.once("exit", onEnd)
      send({ type: "start", ...started, socketPath })
    })
  }

  async #restart(readyAt: number): Promise<void> {
    if (this.#isClosed) return
    const isStable = readyAt > 0 && performance.now() - readyAt > STABLE_MS
    this.#quickExits = isStable ? 0 : this.#quickExits + 1
    const waitMs = Math.min(MAX_RESTART_MS, FIRST_RESTART_MS * 2 ** Math.max(0, this.#quickExits - 1))
    runtime().log.error("The console's process ended and will be restarted", {
      event: "console.ended",
      count: this.#quickExits,
    })
    await delay(waitMs, undefined, { ref: false })
    if (!this.#isClosed) await this.#launch().catch(() => {})
  }
}

/** Sends the engines' availability when it changes, and kills a process that hangs. Returns a function that stops both. */
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
  child.on("message", () => {
    respondedAt = performance.now()
  })
  const timers = [setInterval(report, REPORT_MS), setInterval(ping, pingMs)]
  for (const timer of timers) timer.unref()
  report()
  return () => timers.forEach(clearInterval)
}
