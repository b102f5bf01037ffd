import { lastRehearsalAt } from "@/lib/server/backup/rehearsal"
import { countQueuedMail, type MailQueue } from "@/lib/server/mail/send-queued"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { ProcessState } from "./process-state"
import { readVersion, type Version } from "./read-version"
import { type Disagreements, findDisagreements } from "./server-processes"

export interface DatabaseHealth {
  /** As in "18.1". */
  version: string
  bytes: number
  /** Connections to this database now, of all programs, and how many the server allows in all. */
  connections: number
  maxConnections: number
  /** The newest migration that was applied. */
  schema: string | null
  /** How long a trivial query took, in ms. */
  latencyMs: number
  isEmbedded: boolean
}

interface BackupHealth {
  /** ISO text of the last backup; null when there was none. */
  takenAt: string | null
  bytes: number | null
  /** ISO text of the last rehearsal that succeeded; null when there was none. */
  rehearsedAt: string | null
  /** How often servers make one; 0 for never. */
  everyHours: number
}

/** `unknown` when this process cannot find out. */
export type MailHealth = "outbox" | "ok" | "unreachable" | "unknown"

export interface Health {
  /** The server of this console. Null when it is unknown, as it is for a command. */
  server: ProcessState | null
  /** Null when the database does not reply. */
  database: DatabaseHealth | null
  backup: BackupHealth | null
  mail: MailHealth
  /** Mails that wait, and those given up in the last 30 days. Null when the database does not reply. */
  mailQueue: MailQueue | null
  version: Version
  /** Null when the database does not reply. */
  disagreements: Disagreements | null
}

const PART_MS = 4_000

/** Returns what `read` returns, or `otherwise` when it fails or takes longer than 4 s. A broken part must not hide the others. */
async function within<Value>(read: () => Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, PART_MS, otherwise)
  })
  return Promise.race([read().catch(() => otherwise), late]).finally(() => clearTimeout(timer))
}

const DATABASE = `
  SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
    (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
    current_setting('max_connections')::int AS max,
    (SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY migration_name COLLATE "C" DESC LIMIT 1) AS schema`

async function readDatabase({ pool, env }: Runtime): Promise<DatabaseHealth> {
  const startedAt = performance.now()
  await pool.query("SELECT 1")
  const latencyMs = Math.round(performance.now() - startedAt)
  const { rows } = await pool.query(DATABASE)
  const [{ version, bytes, connections, max, schema }] = rows
  return {
    version: version.split(" ")[0],
    bytes: Number(bytes),
    connections,
    maxConnections: max,
    schema,
    latencyMs,
    isEmbedded: env.DATABASE_URL === undefined,
  }
}

async function readBackup(runtime: Runtime): Promise<BackupHealth> {
  const last = await prisma(runtime).backup.findFirst({ orderBy: { takenAt: "desc" } })
  const rehearsedAt = await lastRehearsalAt(runtime.pool)
  return {
    takenAt: last?.takenAt.toISOString() ?? null,
    bytes: last && Number(last.bytes),
    rehearsedAt: rehearsedAt?.toISOString() ?? null,
    everyHours: runtime.env.BACKUP_EVERY_HOURS,
  }
}

async function checkMail({ env, mailer }: Runtime): Promise<MailHealth> {
  if (!env.EMAIL_SERVER) return "outbox"
  return (await mailer.check()) === false ? "unreachable" : "ok"
}

/** Returns how the service does, as far as this process can know. Resolves within seconds whatever is broken. For the operator. */
export async function getHealth(runtime: Runtime, actor: Actor): Promise<Health> {
  requireRight(actor, "service.read")
  const [server, database, backup, mail, mailQueue, version, disagreements] = await Promise.all([
    within(runtime.readServer, null),
    within<DatabaseHealth | null>(() => readDatabase(runtime), null),
    within<BackupHealth | null>(() => readBackup(runtime), null),
    within<MailHealth>(() => checkMail(runtime), "unknown"),
    within<MailQueue | null>(() => countQueuedMail(runtime), null),
    within(() => readVersion(runtime), { release: "unknown", build: null }),
    within<Disagreements | null>(() => findDisagreements(runtime), null),
  ])
  return { server, database, backup, mail, mailQueue, version, disagreements }
}
