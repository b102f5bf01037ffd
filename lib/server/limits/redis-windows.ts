import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { newId } from "@/lib/server/platform/ids"
import type { Log } from "@/lib/server/platform/log"
import type { RedisState } from "@/lib/server/platform/metrics"
import type { Payer } from "@/lib/server/platform/payer"
import { SCRIPTS } from "./redis-scripts"
import { memoryWindows, type PerSecond, type RateWindows, type WindowState, windowState } from "./windows"

const FIRST_CONNECT_MS = 1_000
const ALIVE_EVERY_MS = 2_000
const LIVING_MS = 10_000
const SILENT_SOCKET_MS = 5_000
const FAILURES_TO_STOP = 3
const INSTANCES = "svc:instances"

interface RedisWindowsOptions {
  url: string
  log: Log
  /** How long one answer may take. */
  timeoutMs?: number
  /** How often this instance says that it lives, and asks again for a Redis that failed. */
  aliveEveryMs?: number
}

/**
 * Windows that all processes on one Redis share; each request costs one call. While Redis cannot be used, this process
 * counts its share of each limit alone. Resolves when Redis is there, or after a second without it.
 */
export async function openRedisWindows(options: RedisWindowsOptions): Promise<RateWindows> {
  const windows = new RedisWindows(options)
  await windows.opened
  return windows
}

class RedisWindows implements RateWindows {
  readonly opened: Promise<void>
  readonly #id = newId()
  readonly #redis: Redis
  readonly #log: Log
  readonly #local = memoryWindows()
  readonly #timer: NodeJS.Timeout
  #state: RedisState = "degraded"
  #isOpening = true
  #failures = 0
  #lastFailure: unknown
  #instances = 1
  #instancesSeenAt = 0
  #isClosed = false

  constructor({ url, log, timeoutMs = 50, aliveEveryMs = ALIVE_EVERY_MS }: RedisWindowsOptions) {
    this.#log = log
    this.#redis = new Redis(url, {
      scripts: SCRIPTS,
      commandTimeout: timeoutMs,
      socketTimeout: SILENT_SOCKET_MS,
      // A request that was not counted at once is counted here; sent again later, it would count twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (attempt) => Math.min(100 * attempt, ALIVE_EVERY_MS),
      // After a failover the old primary only reads: a new connection finds the new one.
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
    })
    const connected = new Promise<void>((resolve) => {
      this.#redis.on("ready", () => void this.#showAlive().then(resolve))
    })
    this.#redis.on("error", (cause) => {
      this.#lastFailure = cause
    })
    this.#redis.on("close", () => this.#become("degraded"))
    this.#timer = setInterval(() => void this.#showAlive(), aliveEveryMs).unref()
    const givenUp = delay(FIRST_CONNECT_MS, undefined, { ref: false })
    this.opened = Promise.race([connected, givenUp]).then(() => {
      this.#isOpening = false
      if (this.#state === "degraded") this.#tell()
    })
  }

  get redis(): RedisState {
    return this.#state
  }

  async count(actor: Payer, perSecond: PerSecond): Promise<WindowState> {
    // The braces make one hash tag of both windows: on a cluster they live on one node.
    const account = `svc:rate:{${actor.accountId}}`
    const used = await this.#ask(() => this.#redis.countRequest(`${account}:${actor.keyId}`, account, perSecond.key))
    if (used) return windowState(used[0], used[1], perSecond)
    return this.#local.count(actor, { key: this.#share(perSecond.key), account: this.#share(perSecond.account) })
  }

  async countAddress(address: string, perSecond: number): Promise<boolean> {
    const used = await this.#ask(() => this.#redis.countAddress(`svc:address:{${address}}`))
    if (used !== null) return used <= perSecond
    return this.#local.countAddress(address, this.#share(perSecond))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    if (this.#redis.status === "ready") await this.#redis.zrem(INSTANCES, this.#id).catch(() => {})
    this.#redis.disconnect()
  }

  #share(perSecond: number): number {
    return Math.max(1, Math.floor(perSecond / this.#instances))
  }

  /** Redis's answer, or null at once while it is known to be away. */
  async #ask<Answer>(command: () => Promise<Answer>): Promise<Answer | null> {
    return this.#state === "ok" ? this.#try(command) : null
  }

  async #try<Answer>(command: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await command()
      this.#failures = 0
      return answer
    } catch (cause) {
      this.#failures++
      this.#lastFailure = cause
      if (this.#failures >= FAILURES_TO_STOP) this.#become("degraded")
      return null
    }
  }

  async #showAlive(): Promise<void> {
    const living = await this.#try(() => this.#redis.showAlive(INSTANCES, this.#id, LIVING_MS))
    if (living === null) return
    // A Redis that has just lost its memory knows fewer instances than there are: a fall is believed when it lasts.
    if (living >= this.#instances || Date.now() - this.#instancesSeenAt > LIVING_MS) {
      this.#instances = living
      this.#instancesSeenAt = Date.now()
    }
    this.#become("ok")
  }

  #become(state: RedisState): void {
    if (this.#isClosed || state === this.#state) return
    this.#state = state
    if (!this.#isOpening) this.#tell()
  }

  #tell(): void {
    if (this.#state === "ok") this.#log.info("Redis is back: rate limits are shared again")
    else
      this.#log.warn("Redis cannot be used: each process counts its share of the rate limits", {
        count: this.#instances,
        cause: this.#lastFailure,
      })
  }
}
