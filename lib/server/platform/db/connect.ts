import { PrismaPg } from "@prisma/adapter-pg"
import pg from "pg"
import type { Env } from "@/lib/server/platform/env"
import { startEmbedded } from "./embedded"
import { PrismaClient } from "./generated/client"
import { migrate } from "./migrate"
import { PatientPool } from "./patient-pool"

export interface Database {
  /** How another process of this service connects to the same database. */
  config: pg.PoolConfig
  pool: pg.Pool
  prisma: PrismaClient
  close(): Promise<void>
}

/** The longest that a server waits for a reply. A connection whose other end vanished would otherwise block its caller forever. */
const ANSWER_WITHIN_MS = 10_000

/**
 * Idle connections are kept, because a new one plans the ledger's functions again, which takes ten times as long as a charge.
 * They are closed before a NAT gateway drops them, which it often does after 4 minutes.
 */
const IDLE_MS = 180_000

/** Opens a pool, and the Prisma client on it. A connection that breaks while idle is replaced. */
export function openPool(config: pg.PoolConfig): Pick<Database, "pool" | "prisma"> {
  const pool = new PatientPool({
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...config,
  })
  pool.on("error", () => {})
  // The pool handles no errors of a connection that is in use or closing. The query rejects anyway.
  pool.on("connect", (client) => client.on("error", () => {}))
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) }
}

/** Connects to `DATABASE_URL` or to the embedded PostgreSQL in `DATA_DIR`, and migrates it. */
export async function connectDatabase(env: Env, role: "server" | "command"): Promise<Database> {
  const embedded = env.DATABASE_URL ? null : await startEmbedded(env.DATA_DIR, role)
  const config = { ...(embedded?.config ?? { connectionString: env.DATABASE_URL }), max: env.DATABASE_POOL }
  const pooled = role === "server" ? { ...config, query_timeout: ANSWER_WITHIN_MS } : config
  const { pool, prisma } = openPool(pooled)
  const close = async () => {
    await prisma.$disconnect()
    await pool.end().catch(() => {})
    await embedded?.release()
  }
  try {
    await migrateOn(config)
  } catch (error) {
    await close()
    throw error
  }
  return { pool, prisma, config: pooled, close }
}

/** Migrates on a connection without a time limit, because a migration may take long or wait for another process's migration. */
async function migrateOn(config: pg.PoolConfig): Promise<void> {
  const pool = new pg.Pool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
  pool.on("error", () => {})
  try {
    await migrate(pool)
  } finally {
    await pool.end()
  }
}
