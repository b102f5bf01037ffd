import type pg from "pg"
import { withAnySchema } from "@/lib/server/platform/db/connect"
import type { Env } from "@/lib/server/platform/env"
import { BackupRefused } from "./backup-format"
import type { BackupFile } from "./backup-place"
import { openPlace, scheduledAddress } from "./open-place"

const NAME = "backup rehearsal"

/** Returns the newest backup where scheduled ones go. Throws `BackupRefused` when there is none. */
export async function newestBackup(env: Env): Promise<BackupFile> {
  const address = scheduledAddress(env)
  const place = openPlace(env, address)
  const files = await place.list().catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return []
    throw cause
  })
  const backups = files.filter(({ file }) => /^[^.].*\.backup$/.test(file))
  const newest = backups.toSorted((a, b) => b.changedAtMs - a.changedAtMs)[0]
  if (!newest) throw new BackupRefused(`There is no backup in ${address}. Name a file, or set BACKUP_EVERY_HOURS`)
  return { place, file: newest.file }
}

/** Records that a backup was restored and its ledger verified just now. */
export async function recordRehearsal(env: Env): Promise<void> {
  await withAnySchema(env, (pool) =>
    pool.query(
      "INSERT INTO job_mark VALUES ($1, clock_timestamp()) ON CONFLICT (name) DO UPDATE SET done_until = EXCLUDED.done_until",
      [NAME],
    ),
  )
}

/** Returns when a backup was last rehearsed with success; null when none was. */
export async function lastRehearsalAt(pool: pg.Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date }>("SELECT done_until AS at FROM job_mark WHERE name = $1", [NAME])
  return rows[0]?.at ?? null
}
