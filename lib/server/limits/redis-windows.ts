import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import type { Payer } from "@/lib/server/platform/actor"
import type { RedisState } from "@/lib/server/platform/gauges"
import { newId } from "@/lib/server/platform/ids"
import type { Log } from "@/lib/server/platform/log"
import { SCRIPTS, type Used } from "./redis-scripts"
import { RetryTurns } from "./retry-turns"
import { memoryWindows, type PerSecond, type RateWindows, type WindowState, windowState, withTurn } from "./windows"

const FIRST_CONNECT_MS = 1_000
const ALIVE_EVERY_MS = 2_000
/** How often a Redis that failed is checked. */
const CHECK_EVERY_MS = 250
/** An instance counts as alive for this long after its last call. */
const INSTANCE_TTL_MS = 10_000
const SILENT_SOCKET_MS = 5_000
/** After this many failures in a row, requests do not call Redis until it responds. Concurrent failures count once. */
const FAILURES_TO_STOP = 3
const INSTANCES = "svc:instances"

interface RedisWindowsOptions {
  url: string
  log: Log
  /** How long one command may take. */
  timeoutMs?: number
  /** How often this instance records that it is alive. */
  aliveEveryMs?: number
  /** False for a process without the API, which must not reduce the shares of those with it. */
  isApi?: boolean
  /** How many instances there are at least: the API workers of this server. */
  processes?: number
}

/**
 * Opens rate-limit windows that all processes on one Redis share. Each request costs one command. While Redis is unreachable,
 * this process enforces its share of each limit. Resolves once Redis responds, or after one second without a response.
 */
export async function openRedisWindows(options: RedisWindowsOptions): Promise<RateWindows> {
  const windows = new RedisWindows(options)
  await windows.opened
  return windows
}

/** The names of a request's windows. The braces are a hash tag: on a Redis cluster both windows are on one node. */
function windowsOf({ accountId, keyId }: Payer): [key: string, account: string] {
  const account = `svc:rate:{${accountId}}`
  return [`${account}:${keyId}`, account]
}

const stateOf = ([key, account, keyOwed, accountOwed]: Used, perSecond: PerSecond): WindowState =>
  windowState(key, account, perSecond, { key: keyOwed, account: accountOwed })

class RedisWindows implements RateWindows {
  readonly opened: Promise<void>
  /** Empty for a process that does not count as an instance. */
  readonly #id: string
  readonly #redis: Redis
  readonly #log: Log
  readonly #local = memoryWindows()
  /** Each process promises its share of every window. */
  readonly #turns = new RetryTurns()
  readonly #timer: NodeJS.Timeout
  #state: RedisState = "degraded"
  /** The state is logged once Redis responded or its first second is over. */
  #isOpening = true
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #lastFailure: unknown
  #instances: number
  #instancesSeenAt = 0
  #isClosed = false
  /** After Redis became reachable again, other processes may still count locally until this time. */
  #sharedFrom = 0
  readonly #returnMs: number
  readonly #processes: number
  #checkedAt = 0

  constructor(options: RedisWindowsOptions) {
    const { url, log, timeoutMs = 50, aliveEveryMs = ALIVE_EVERY_MS, isApi = true, processes = 1 } = options
    this.#log = log
    this.#processes = processes
    this.#instances = processes
    this.#id = isApi ? newId() : ""
    this.#returnMs = 3 * aliveEveryMs
    this.#redis = new Redis(url, {
      scripts: SCRIPTS,
      commandTimeout: timeoutMs,
      socketTimeout: SILENT_SOCKET_MS,
      // A command that fails is counted locally at once. Sent again later, it would count twice.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (attempt) => Math.min(100 * attempt, ALIVE_EVERY_MS),
      // After a failover the old primary is read-only. A new connection reaches the new one.
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
    })
    const connected = new Promise<void>((resolve) => {
      this.#redis.on("ready", () => void this.#heartbeat().then(resolve))
    })
    this.#redis.on("error", (cause) => {
      this.#lastFailure = cause
    })
    this.#redis.on("close", () => this.#become("degraded"))
    const tick = () => {
      const everyMs = this.#state === "ok" ? aliveEveryMs : Math.min(aliveEveryMs, CHECK_EVERY_MS)
      if (performance.now() - this.#checkedAt < everyMs - 1) return
      this.#checkedAt = performance.now()
      void this.#heartbeat()
    }
    this.#timer = setInterval(tick, Math.min(aliveEveryMs, CHECK_EVERY_MS)).unref()
    const timeout = delay(FIRST_CONNECT_MS, undefined, { ref: false })
    this.opened = Promise.race([connected, timeout]).then(() => {
      this.#isOpening = false
      if (this.#state === "degraded") this.#logState()
    })
  }

  get redis(): RedisState {
    return this.#state
  }

  async count(actor: Payer, perSecond: PerSecond): Promise<WindowState> {
    const windows = windowsOf(actor)
    // Counted here too, because Redis may fail within this second.
    const share = { key: this.#share(perSecond.key), account: this.#share(perSecond.account) }
    const local = await this.#local.count(actor, share)
    if (local.exceeded && this.#isReturning()) return local
    const used = await this.#call(() => this.#redis.countRequest(...windows, perSecond.key, perSecond.account))
    return used ? withTurn(stateOf(used, perSecond), this.#turns, actor, share) : local
  }

  async owe(actor: Payer, perSecond: PerSecond, more: number): Promise<WindowState> {
    const { key, account } = perSecond
    const share = { key: this.#share(key), account: this.#share(account) }
    const local = await this.#local.owe(actor, share, more)
    const used = await this.#call(() => this.#redis.oweRequests(...windowsOf(actor), key, account, more))
    return used ? stateOf(used, perSecond) : local
  }

  async countAddress(address: string, perSecond: number): Promise<boolean> {
    const isAdmitted = await this.#local.countAddress(address, this.#share(perSecond))
    if (!isAdmitted && this.#isReturning()) return false
    const used = await this.#call(() => this.#redis.countAddress(`svc:address:{${address}}`))
    return used === null ? isAdmitted : used <= perSecond
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    if (this.#redis.status === "ready" && this.#id) await this.#redis.zrem(INSTANCES, this.#id).catch(() => {})
    this.#redis.disconnect()
  }

  /** Returns this process's part of a limit, while the processes cannot count together. */
  #share(perSecond: number): number {
    return Math.max(1, Math.floor(perSecond / this.#instances))
  }

  /**
   * Returns true for a while after Redis became reachable again. Other processes may not know yet, and enforce their shares without
   * counting in Redis. So this one enforces both its share and the shared limit.
   */
  #isReturning(): boolean {
    return this.#state === "ok" && performance.now() < this.#sharedFrom
  }

  /** Returns the command's result, or null when it fails and while Redis is known to be unreachable. */
  async #call<Result>(command: () => Promise<Result>): Promise<Result | null> {
    return this.#state === "ok" ? this.#attempt(command) : null
  }

  async #attempt<Result>(command: () => Promise<Result>): Promise<Result | null> {
    const sentAt = performance.now()
    try {
      const result = await command()
      this.#failures = 0
      return result
    } catch (cause) {
      // Commands that were waiting together failed for one reason, such as a moment in which the machine was busy.
      if (sentAt >= this.#failedAt) {
        this.#failures++
        this.#failedAt = performance.now()
      }
      this.#lastFailure = cause
      if (this.#failures >= FAILURES_TO_STOP) this.#become("degraded")
      return null
    }
  }

  async #heartbeat(): Promise<void> {
    const counted = await this.#attempt(() => this.#redis.recordAlive(INSTANCES, this.#id, INSTANCE_TTL_MS))
    if (counted === null) return
    const living = Math.max(counted, this.#processes)
    // After Redis lost its data, it lists too few instances at first. So a lower number is accepted only after a while.
    if (living >= this.#instances || Date.now() - this.#instancesSeenAt > INSTANCE_TTL_MS) {
      this.#instances = living
      this.#instancesSeenAt = Date.now()
    }
    this.#become("ok")
  }

  #become(state: RedisState): void {
    if (this.#isClosed || state === this.#state) return
    this.#state = state
    this.#failures = 0
    if (state === "ok" && !this.#isOpening) this.#sharedFrom = performance.now() + this.#returnMs
    if (!this.#isOpening) this.#logState()
  }

  #logState(): void {
    if (this.#state === "ok")
      this.#log.info("Redis is reachable. Rate limits are shared again", { event: "redis.reachable" })
    else
      this.#log.warn("Redis is unreachable. Each process enforces its share of the rate limits", {
        event: "redis.unreachable",
        count: this.#instances,
        cause: this.#lastFailure,
      })
  }
}
