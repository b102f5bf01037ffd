import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { freePort } from "./free-port"
import { startProgram } from "./start-program"

/** A real Redis on a free port, without persistence. It keeps its port across kills. */
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

  async resume(): Promise<void> {
    const args = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    this.#process = await startProgram("redis-server", "redis-server", args)
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

  /** Suspends or resumes Redis. Its connections stay open. */
  hang(hangs: boolean): void {
    this.#process?.kill(hangs ? "SIGSTOP" : "SIGCONT")
  }

  /** Resolves at the start of the next second of Redis's clock. */
  async nextSecond(): Promise<void> {
    const client = new Redis(this.url)
    const [, micros] = await client.time()
    await sleep(1_000 - Number(micros) / 1_000 + 5)
    client.disconnect()
  }
}
