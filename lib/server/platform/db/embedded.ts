import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { BadSetting } from "@/lib/server/platform/env"
import { type Cluster, ensureRunning, locate, RETRY_START_MS, refuseOtherMajor } from "./cluster"
import { LOCKS } from "./locks"
import { isPostgres, type Postmaster, readPostmaster, stopPostmaster } from "./postmaster"

/** One PostgreSQL cluster under a data directory. Any number of processes attach; the last one to detach stops it. */
export interface EmbeddedPostgres {
  config: pg.ClientConfig
  /** Detaches from the cluster, and stops it when no other process is attached. */
  release(): Promise<void>
}

// Advisory locks, held by a session that each process keeps open. PostgreSQL releases them however the process ends.
const { attached: ATTACHED, server: SERVER } = LOCKS
const DETACH_WITHIN_MS = 5_000
/** A start that waits for PostgreSQL reports it this often. */
export const REPORT_EVERY_MS = 60_000
/** When the first report is due. A busy machine may need some seconds for a start without recovery. */
const FIRST_REPORT_MS = 10_000

type Role = "server" | "command"

/** This process's attachment to the cluster: a session whose locks show the other processes that it is attached. */
class Attachment implements EmbeddedPostgres {
  #session: pg.Client
  #reattached = Promise.resolve()
  readonly #released = new AbortController()

  private constructor(
    readonly cluster: Cluster,
    readonly role: Role,
    readonly config: pg.ClientConfig,
    session: pg.Client,
  ) {
    this.#session = session
    this.#watch()
  }

  /**
   * Attaches to the cluster. Retries for 20 s, because the last attached process may be stopping PostgreSQL at this moment, and for
   * as long as PostgreSQL recovers from a crash, unless `signal` aborts. Calls `onWaiting` the first time that it is not ready.
   */
  static async open(
    cluster: Cluster,
    role: Role,
    signal: AbortSignal | undefined,
    onWaiting: () => Promise<void>,
  ): Promise<Attachment> {
    const onNotReady = createReporter(cluster, onWaiting)
    let failedAt = 0
    for (;;) {
      const at = await ensureRunning(cluster, { signal, onNotReady })
      const config: pg.ClientConfig = { host: at.socketDir, port: at.port, user: "svcd", database: "postgres" }
      try {
        return new Attachment(cluster, role, config, await openSession(config, role))
      } catch (error) {
        if (error instanceof BadSetting) throw error
        if (isNotReady(error)) await onNotReady()
        else {
          failedAt ||= performance.now()
          if (performance.now() - failedAt > RETRY_START_MS) throw error
        }
        await sleep(50)
      }
    }
  }

  /** Restarts PostgreSQL when it ends while this process is attached. */
  #watch(): void {
    this.#session.once("end", () => {
      this.#reattached = this.#reattach()
    })
  }

  async #reattach(): Promise<void> {
    const { signal } = this.#released
    while (!signal.aborted) {
      try {
        await ensureRunning(this.cluster, { signal })
        this.#session = await openSession(this.config, this.role)
        return this.#watch()
      } catch {
        await sleep(500)
      }
    }
  }

  async release(): Promise<void> {
    this.#released.abort()
    await this.#reattached
    const last = await this.#detach()
    if (last) await stopPostmaster(last)
    await this.#session.end().catch(() => {})
  }

  /**
   * Gives up this process's lock. Returns the running PostgreSQL if no other process is attached, and keeps others from attaching
   * until it has stopped. Retries for 5 s, because PostgreSQL may be recovering from a crash at this moment.
   */
  async #detach(): Promise<Postmaster | null> {
    const sql = "SELECT pg_advisory_unlock_all(), pg_try_advisory_lock($1) AS last"
    for (const startedAt = performance.now(); performance.now() - startedAt < DETACH_WITHIN_MS; await sleep(50)) {
      const postmaster = await readPostmaster(this.cluster.pgdata)
      if (!postmaster || !isPostgres(postmaster.pid)) return null
      try {
        const { rows } = await this.#session.query<{ last: boolean }>(sql, [ATTACHED])
        return rows[0]?.last ? postmaster : null
      } catch {
        this.#session = await openSession(this.config, this.role).catch(() => this.#session)
      }
    }
    return null
  }
}

/** Returns whether a server is attached to the cluster. */
export async function hasServer(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted", [
    SERVER,
  ])
  return rowCount === 1
}

/** Returns a function that calls `onWaiting` once, and prints at most once a minute that PostgreSQL is not ready. */
function createReporter({ logFile }: Cluster, onWaiting: () => Promise<void>): () => Promise<void> {
  let reportAt = performance.now() + FIRST_REPORT_MS
  let waiting: Promise<void> | null = null
  return async () => {
    waiting ??= onWaiting()
    await waiting
    if (performance.now() < reportAt) return
    reportAt = performance.now() + REPORT_EVERY_MS
    process.stderr.write(`Waiting for PostgreSQL, which may be recovering from a crash. Its log is ${logFile}\n`)
  }
}

/** Returns true when PostgreSQL refused a connection because it is starting, recovering or stopping. */
const isNotReady = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "57P03"

async function openSession(config: pg.ClientConfig, role: Role): Promise<pg.Client> {
  const session = new pg.Client(config)
  session.on("error", () => {})
  await session.connect()
  await session.query("SELECT pg_advisory_lock_shared($1)", [ATTACHED])
  // If PostgreSQL is already stopping, the lock above has no effect. This second query then fails.
  const { rows } = await session.query("SELECT CASE WHEN $1 THEN true ELSE pg_try_advisory_lock($2) END AS ok", [
    role === "command",
    SERVER,
  ])
  if (rows[0].ok) return session
  await session.end()
  throw new BadSetting("DATA_DIR is in use by another running server")
}

/**
 * Starts the embedded PostgreSQL under `dataDir` or attaches to it. Throws `BadSetting` for a second server on the same
 * folder, and for one of another major version of PostgreSQL; commands may attach while a server runs. Recovers after this process, PostgreSQL or both were killed.
 * `overrides` apply when this process starts PostgreSQL. When `signal` aborts before that is done, stops it and rejects. `onWaiting` is
 * called once if PostgreSQL recovers; a start rejects with its error.
 */
export async function startEmbedded(
  dataDir: string,
  role: Role,
  overrides: string[] = [],
  signal?: AbortSignal,
  onWaiting: () => Promise<void> = async () => {},
): Promise<EmbeddedPostgres> {
  const cluster = await locate(dataDir, overrides)
  await refuseOtherMajor(cluster)
  return Attachment.open(cluster, role, signal, onWaiting)
}
