import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import type { Env } from "@/lib/server/platform/env"
import { orAbort } from "@/lib/server/platform/or-abort"
import { checkDatabase, DatabaseUnavailable } from "./check-database"
import { REPORT_EVERY_MS, startEmbedded } from "./embedded"
import { limitReplies } from "./limit-replies"
import { PatientPool } from "./patient-pool"
import { requireSchema } from "./require-schema"
import { isUnconnected, retryConnecting } from "./retry-connecting"
import { requireRights } from "./rights"

export interface Database {
  /** How another process of this service connects to the same database. */
  config: pg.PoolConfig
  pool: pg.Pool
  close(): Promise<void>
}

/** The longest that a server waits for a reply. A connection whose other end vanished would otherwise block its caller forever. */
const ANSWER_WITHIN_MS = 10_000

/**
 * Idle connections are kept, because a new one plans the ledger's functions again, which takes ten times as long as a charge.
 * They are closed before a NAT gateway drops them, which it often does after 4 minutes.
 */
const IDLE_MS = 180_000

/** Requests wait this long for a connection. */
const CONNECT_MS = 5_000
/** What runs once, such as a migration, waits longer, because a busy machine may need the time. */
const PATIENT_CONNECT_MS = 30_000

/** A server that waits for its database tries again this often. */
const RETRY_MS = 1_000

/**
 * Opens a pool. A connection that breaks while idle is replaced. A pause of this process counts neither as waiting for a connection nor,
 * with `query_timeout`, as waiting for a reply.
 */
export function openPool({ query_timeout: replyMs, ...config }: pg.PoolConfig): pg.Pool {
  const pool = new PatientPool({
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...config,
  })
  pool.on("error", () => {})
  // The pool handles no errors of a connection that is in use or closing. The query rejects anyway.
  pool.on("connect", (client) => {
    client.on("error", () => {})
    if (replyMs) limitReplies(client, replyMs)
  })
  return pool
}

/**
 * Opens a connection of the pool for a process that starts, if none is open. The pool keeps it, so that the next statements need not
 * open one within the 5 s of a request.
 */
export const openConnection = (pool: pg.Pool): Promise<void> =>
  retryConnecting(async () => (await pool.connect()).release())

async function openDatabase(
  env: Env,
  role: "server" | "command",
  signal: AbortSignal,
  onWaiting: () => Promise<void>,
): Promise<Database> {
  if (env.DATABASE_URL) await orAbort(checkDatabase(env, env.DATABASE_URL, role === "server"), signal)
  const embedded = env.DATABASE_URL ? null : await startEmbedded(env.DATA_DIR, role, [], signal, onWaiting)
  const config = { ...(embedded?.config ?? { connectionString: env.DATABASE_URL }), max: env.DATABASE_POOL }
  const pooled = role === "server" ? { ...config, query_timeout: ANSWER_WITHIN_MS } : config
  const pool = openPool(pooled)
  const close = async () => {
    await pool.end().catch(() => {})
    await embedded?.release()
  }
  try {
    const direct = env.DATABASE_DIRECT_URL ? { connectionString: env.DATABASE_DIRECT_URL } : config
    if (env.DATABASE_URL) {
      // Before the schema is read: a role without rights would take it for an empty one.
      await orAbort(
        withConnection(config, (own) => requireRights(own, "serves")),
        signal,
      )
    }
    const migrated = withConnection(direct, (migrationPool) => requireSchema(env, role, migrationPool))
    await orAbort(migrated, signal)
    await orAbort(openConnection(pool), signal)
    // Again, because a migration may have added tables.
    if (env.AUTO_MIGRATE === "1" && env.DATABASE_URL) await orAbort(requireRights(pool, "serves"), signal)
  } catch (error) {
    await close()
    throw error
  }
  return { pool, config: pooled, close }
}

/**
 * Connects to `DATABASE_URL` or to the embedded PostgreSQL in `DATA_DIR`, and migrates it where `requireSchema` allows it. Throws
 * `SchemaError` when its schema is older or newer than this version's, and `BadSetting` when its role lacks a right. When `signal` aborts, it detaches and rejects with the reason.
 * A server waits for a `DATABASE_URL` that is unavailable, and for an embedded PostgreSQL that recovers, and calls `onWaiting` the first
 * time. A command throws `DatabaseUnavailable`.
 */
export async function connectDatabase(
  env: Env,
  role: "server" | "command",
  signal: AbortSignal = new AbortController().signal,
  onWaiting: () => Promise<void> = async () => {},
): Promise<Database> {
  const mayWait = role === "server" && env.DATABASE_URL !== undefined
  for (let reportedAt: number | null = null; ; await orAbort(sleep(RETRY_MS), signal)) {
    try {
      return await openDatabase(env, role, signal, onWaiting)
    } catch (error) {
      if (!mayWait || !(error instanceof DatabaseUnavailable || isUnconnected(error))) throw error
      if (reportedAt === null) await onWaiting()
      if (reportedAt !== null && performance.now() - reportedAt < REPORT_EVERY_MS) continue
      reportedAt = performance.now()
      process.stderr.write(`Waiting for the database. ${(error as Error).message}\n`)
    }
  }
}

/**
 * Runs `work` on a connection of its own, which has 30 s to open. Statements have no time limit, because a migration may take long or
 * wait for another process's migration.
 */
export async function withConnection<Result>(
  config: pg.PoolConfig,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({ connectionTimeoutMillis: PATIENT_CONNECT_MS, ...config, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Runs `work` on the database as it is, whatever its schema. */
export async function withAnySchema<Result>(env: Env, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded(env.DATA_DIR, "command")
  try {
    return await withConnection(
      embedded?.config ?? { connectionString: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL },
      work,
    )
  } finally {
    await embedded?.release()
  }
}
