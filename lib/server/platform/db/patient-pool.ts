import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterReadableMs } from "@/lib/server/platform/readable-time"

/** After a refusal, the pool opens no further connection for this long. */
const REGROW_MS = 5_000
/** How long to wait before another attempt when the pool has no connection at all. */
const RETRY_MS = 100

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: pg.PoolClient["release"]) => void

/** Returns true when the database or a pooler refused a connection because it has too many. */
const isTooMany = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "53300" || /^no more connections allowed/.test(error.message))

/** Returns true when no connection was open or free in time. */
const isTooLate = (error: unknown): boolean =>
  error instanceof Error && /^(timeout e|Connection terminated due to connection timeout)/.test(error.message)

/**
 * A pool that lets a caller wait for an open connection when the database refuses another one, up to
 * `connectionTimeoutMillis`. A plain pool fails the caller, although its other connections would soon be free. A caller also waits again
 * when this process was paused for most of that time: the timer of a plain pool fires before Node reads what arrived meanwhile.
 */
export class PatientPool extends pg.Pool {
  readonly #max: number
  readonly #patienceMs: number
  #open = 0
  #refusedAt = Number.NEGATIVE_INFINITY

  constructor(config: pg.PoolConfig) {
    super(config)
    this.#max = this.options.max
    this.#patienceMs = config.connectionTimeoutMillis ?? 0
    this.on("connect", () => this.#open++)
    this.on("remove", () => this.#open--)
  }

  override connect(): Promise<pg.PoolClient>
  // `query` of the base class calls it this way.
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connectPatiently(performance.now() + this.#patienceMs)
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #connectPatiently(until: number): Promise<pg.PoolClient> {
    if (performance.now() - this.#refusedAt > REGROW_MS) this.options.max = this.#max
    let wasPaused = true
    const cancel = afterReadableMs((this.#patienceMs * 4) / 5, () => {
      wasPaused = false
    })
    try {
      while (true) {
        try {
          return await super.connect()
        } catch (error) {
          if (isTooLate(error) && wasPaused) continue
          if (!isTooMany(error) || performance.now() > until) throw error
          this.#refusedAt = performance.now()
          // The next attempt then waits for a connection that is open, if there is one.
          this.options.max = Math.max(1, this.#open)
          if (this.#open === 0) await sleep(RETRY_MS)
        }
      }
    } finally {
      cancel()
    }
  }
}
