import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { freePort } from "./free-port"

/** False where Debian's `redis-server`, or another, is not on the PATH: the suites that need it are skipped. */
export const hasRedis = (() => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** A real Redis in memory on a free port, which keeps its port when it is killed and started again. */
export class TestRedis {
  #process: ChildProcess | null = null

  private constructor(readonly port: number) {}

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort())
    await redis.resume()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it, again after a kill, and waits until it answers. */
  async resume(): Promise<void> {
    const args = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    this.#process = spawn("redis-server", args, { stdio: "ignore" })
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
    client.on("error", () => {})
    await client.ping()
    client.disconnect()
  }

  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  /** Lets it hang, connections and all, or go on. */
  hang(hangs: boolean): void {
    this.#process?.kill(hangs ? "SIGSTOP" : "SIGCONT")
  }

  /** Resolves when a clock second has just begun for it. */
  async nextSecond(): Promise<void> {
    const client = new Redis(this.url)
    const [, micros] = await client.time()
    await sleep(1_000 - Number(micros) / 1_000 + 5)
    client.disconnect()
  }
}
