import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import type pg from "pg"
import type { Runtime } from "@/lib/server/platform/runtime"
import { NOT_MOUNTED } from "@/lib/server/platform/setting-values"
import { BackupRefused } from "./backup-format"
import { scheduledAddress } from "./open-place"

/** Made with the first backup. A share that is not mounted leaves an empty folder without it. */
const MARKER = ".decision-service-backups"

const markOf = (dir: string): string => `backups in ${dir}`

/** Remembers that scheduled backups go to a folder, in the folder and in the database. */
export async function markBackupDir(pool: pg.Pool | pg.ClientBase, dir: string): Promise<void> {
  await writeFile(path.join(dir, MARKER), "The service expects this file where it keeps backups.\n", { mode: 0o600 })
  await pool.query("INSERT INTO job_mark VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING", [markOf(dir)])
}

/**
 * Throws `BackupRefused` when the folder for scheduled backups is not the one that had backups before, because its share is not
 * mounted. Does nothing for a folder without any backup yet, without a schedule, and for `BACKUP_URL`.
 */
export async function requireBackupDir({ env }: Pick<Runtime, "env">, pool: pg.Pool | pg.ClientBase): Promise<void> {
  if (env.BACKUP_EVERY_HOURS === 0 || env.BACKUP_URL) return
  const dir = scheduledAddress(env)
  if (existsSync(path.join(dir, NOT_MOUNTED)))
    throw new BackupRefused(`${dir} has a file ${NOT_MOUNTED}: mount its share`)
  const { rowCount } = await pool.query("SELECT FROM job_mark WHERE name = $1", [markOf(dir)])
  if (rowCount === 1 && !existsSync(path.join(dir, MARKER)))
    throw new BackupRefused(`${dir} had backups and lacks its marker ${MARKER}: mount its share, or create the file`)
}

/** Logs at the start of a server when the folder for scheduled backups is not mounted. */
export async function reportBackupDir(runtime: Runtime): Promise<void> {
  try {
    await requireBackupDir(runtime, runtime.pool)
  } catch (error) {
    if (!(error instanceof BackupRefused)) return
    const fields = { event: "backup_dir.not_mounted", reason: scheduledAddress(runtime.env) }
    runtime.log.error("The folder for backups lacks its marker. Its share may not be mounted", fields)
  }
}
