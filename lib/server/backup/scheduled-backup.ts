import path from "node:path"
import type pg from "pg"
import { readSecretOf } from "@/lib/server/platform/auth-secret"
import { withAnySchema } from "@/lib/server/platform/db/connect"
import { hasServer } from "@/lib/server/platform/db/embedded"
import { LOCKS } from "@/lib/server/platform/db/locks"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { HOUR_MS } from "@/lib/shared/time"
import { BackupRefused } from "./backup-format"
import { markBackupDir, requireBackupDir } from "./backup-marker"
import type { BackupFile } from "./backup-place"
import { type Backup, createBackup } from "./create-backup"
import { keepNewest } from "./keep-newest"
import { openPlace, scheduledAddress } from "./open-place"

/** Writes a backup of the service's database, whatever its schema, with the generated secret if that is in use. */
export const backUp = (env: Env, target: BackupFile, signal?: AbortSignal): Promise<Backup> =>
  withAnySchema(env, async (pool) => {
    const secrets = { authSecret: await secretOf(env), key: env.BACKUP_KEY ?? null }
    return createBackup(pool, target, secrets, signal)
  })

/** Returns the generated secret; null when there is none, or `AUTH_SECRET` is set to another one. */
async function secretOf(env: Env): Promise<string | null> {
  const generated = await readSecretOf(env.DATA_DIR)
  return env.AUTH_SECRET === undefined || env.AUTH_SECRET === generated ? generated : null
}

/** Throws `BackupRefused` while a server uses the embedded database. Servers on another database cannot be recognised. */
export async function refuseRunningServer(env: Env): Promise<void> {
  if (env.DATABASE_URL) return
  const isRunning = await withAnySchema(env, hasServer)
  if (isRunning)
    throw new BackupRefused("A server uses this database. Stop it first: what it writes meanwhile would not be copied")
}

/** Returns when the last backup of this database was taken; null when there was none. */
export async function lastBackupAt(pool: pg.Pool | pg.ClientBase): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>("SELECT max(taken_at) AS at FROM backup")
  return rows[0]?.at ?? null
}

const NAMES = /^decisions-\d{8}T\d{6}Z\.backup$/
const nameAt = (now: Date): string => `decisions-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.backup`

async function backUpAndKeep(client: pg.ClientBase, env: Env, now: Date, signal?: AbortSignal): Promise<Backup> {
  const address = scheduledAddress(env)
  const place = openPlace(env, address)
  await place.prepare(NAMES)
  if (!env.BACKUP_URL) await markBackupDir(client, address)
  const target = { place, file: nameAt(now) }
  const backup = await backUp(env, target, signal).catch(async (error) => {
    // A backup that was aborted or could not be recorded is made again later, and its complete file would stay.
    if (!(error instanceof BackupRefused)) await place.remove(target.file).catch(() => {})
    throw error
  })
  await keepNewest(target, env.BACKUP_KEEP)
  return backup
}

/**
 * Makes a backup when the last one is older than `BACKUP_EVERY_HOURS`, and returns it; null when none is due. A lock lets one process
 * at a time decide, so servers on one database make one backup together. Rejects when `signal` aborts the backup.
 */
export async function backUpWhenDue(
  { env, pool, log }: Runtime,
  now = new Date(),
  signal?: AbortSignal,
): Promise<Backup | null> {
  if (env.BACKUP_EVERY_HOURS === 0) return null
  const client = await pool.connect()
  let locked = false
  try {
    const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS locked", [LOCKS.backup])
    locked = rows[0].locked
    if (!locked) return null
    // At every run, so that a missing share is noticed before a backup is due.
    await requireBackupDir({ env }, client)
    const last = await lastBackupAt(client)
    if (last && now.getTime() - last.getTime() < env.BACKUP_EVERY_HOURS * HOUR_MS) return null
    const backup = await backUpAndKeep(client, env, now, signal)
    const { file, bytes } = backup
    log.info("A backup was made", { event: "backup.made", reason: path.basename(file), count: bytes })
    return backup
  } finally {
    if (locked) await client.query("SELECT pg_advisory_unlock($1)", [LOCKS.backup]).catch(() => {})
    client.release()
  }
}
