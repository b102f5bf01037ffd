import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { runtime } from "@/lib/server/platform/runtime"

const FIRST_RESTART_MS = 250
const MAX_RESTART_MS = 10_000
/** After a process was ready for this long, the delays begin again with the shortest one. */
const STABLE_MS = 60_000
const EXIT_MS = 5_000
const PING_MS = 10_000
/** A process that sends nothing for this long is killed. */
const HUNG_MS = 60_000

/** What a supervised process sends first: that it is ready, or why it ends. One with a `fork` of its own first says that it listens. */
export type StartMessage = { type: "loaded" } | { type: "ready" } | { type: "failed"; reason: string }

interface SupervisedOptions<Ready> {
  /** Names the process in messages and in the event of its end. */
  name: "console" | "engine" | "worker"
  program: string
  /**
   * Starts the program with a message channel, instead of `fork`. Node's cluster loses messages that arrive before the program
   * listens, so it gets the first message when it has sent `loaded`.
   */
  fork?(): ChildProcess
  /** The whole environment of the process. By default that of this one. */
  env?: NodeJS.ProcessEnv
  /** Returns the first message of the process. `starts` counts the processes. */
  startMessage(starts: number): object
  onReady(ready: Ready, starts: number): void
  onEnd(): void
  /** Observes a process. Returns a function that ends the observation. */
  watch?(child: ChildProcess, send: (message: object) => void): () => void
}

/** Returns the program `name`: the bundle next to the built server, or its source. */
export function programFile(name: string): string {
  const built = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}

/** Returns Node's arguments for a program. One of a server that runs from source also runs from source. */
export const execArgvOf = (program: string): string[] =>
  program.endsWith(".ts") ? ["--import", "tsx"] : process.execArgv

/**
 * Asks a process for a sign of life every `pingMs`, and kills it when its event loop is blocked for 60 s. That time begins with its
 * first message, because a start takes long on a busy machine. Returns a function that stops asking.
 */
export function killWhenHung(child: ChildProcess, send: (ping: { type: "ping" }) => void, pingMs = PING_MS) {
  let heardAt: number | null = null
  let askedAt = performance.now()
  const isHung = () => heardAt !== null && performance.now() - heardAt > HUNG_MS
  child.on("message", () => {
    heardAt = performance.now()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    // This process was paused, for example by SIGSTOP, and asked nothing meanwhile.
    if (heardAt !== null && now - askedAt > 2 * PING_MS) heardAt = now
    askedAt = now
    send({ type: "ping" })
    // If this process was blocked itself, messages that arrived meanwhile are read before the immediate.
    if (isHung()) setImmediate(() => isHung() && child.kill("SIGKILL"))
  }, pingMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Runs a program in a process of its own and restarts it with growing delays when it ends. */
export class SupervisedProcess<Ready extends { type: "ready" }> {
  #starts = 0
  #quickExits = 0
  #child: ChildProcess | null = null
  #isClosed = false

  constructor(private readonly options: SupervisedOptions<Ready>) {}

  /** Resolves when the process is ready. Rejects when its first process cannot start. */
  start(): Promise<void> {
    return this.#launch()
  }

  /** Ends the process by closing its channel, and kills it after 5 s. */
  close(): Promise<void> {
    return this.#end((child) => child.connected && child.disconnect(), EXIT_MS)
  }

  /** Asks the process to end, and kills it after this time. */
  endBy(message: object, withinMs: number): Promise<void> {
    return this.#end((child) => child.connected && child.send(message, () => {}), withinMs)
  }

  async #end(ask: (child: ChildProcess) => void, withinMs: number): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (!child) return
    const ended = once(child, "exit")
    ask(child)
    const kill = setTimeout(() => child.kill("SIGKILL"), withinMs)
    await ended
    clearTimeout(kill)
  }

  /** Starts a process. Resolves when it is ready, and rejects when it ends before. */
  #launch(): Promise<void> {
    const { name, startMessage, onReady, onEnd, watch } = this.options
    const starts = ++this.#starts
    let child: ChildProcess
    try {
      child = this.options.fork?.() ?? this.#fork()
    } catch (error) {
      // Node throws some failures to start a process, such as ENOMEM, and emits others.
      if (starts > 1) void this.#restart(0)
      return Promise.reject(error)
    }
    this.#child = child
    const send = (message: object) => void (child.connected && child.send(message, () => {}))
    const stopWatching = watch?.(child, send)
    return new Promise((resolve, reject) => {
      let reason = `the ${name}'s process ended`
      let readyAt = 0
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        this.#child = null
        stopWatching?.()
        onEnd()
        // The code says that the message explains it all, so no stack is printed.
        reject(Object.assign(new Error(`The ${name} did not start: ${reason}`), { code: "ERR_NOT_STARTED" }))
        if (readyAt > 0 || starts > 1) void this.#restart(readyAt)
      }
      child.on("message", (message: Ready | StartMessage) => {
        if (message.type === "loaded") send(startMessage(starts))
        else if (message.type === "failed") {
          reason = message.reason
          child.kill("SIGKILL")
        } else if (message.type === "ready") {
          readyAt = performance.now()
          onReady(message as Ready, starts)
          resolve()
        }
      })
      child.once("error", (error) => {
        reason = error.message
        if (child.pid === undefined) end()
      })
      child.once("exit", end)
      if (!this.options.fork) send(startMessage(starts))
    })
  }

  #fork(): ChildProcess {
    const { program, env } = this.options
    return fork(program, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      ...(env ? { env } : {}),
      execArgv: execArgvOf(program),
    })
  }

  async #restart(readyAt: number): Promise<void> {
    if (this.#isClosed) return
    const isStable = readyAt > 0 && performance.now() - readyAt > STABLE_MS
    this.#quickExits = isStable ? 0 : this.#quickExits + 1
    const waitMs = Math.min(MAX_RESTART_MS, FIRST_RESTART_MS * 2 ** Math.max(0, this.#quickExits - 1))
    const { name } = this.options
    runtime().log.error(`The ${name}'s process ended and will be restarted`, {
      event: `${name}.ended`,
      count: this.#quickExits,
    })
    await delay(waitMs, undefined, { ref: false })
    if (!this.#isClosed) await this.#launch().catch(() => {})
  }
}
