import { existsSync } from "node:fs"
import path from "node:path"
import type { Pool } from "pg"
import { withConnection } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import type { Env } from "@/lib/server/platform/env"
import { BackupRefused } from "./backup-format"

export const isUrl = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)

/** A broken database may keep a connection waiting. */
const OPEN_WITHIN_MS = 30_000

/** Runs `work` on the database at a `postgres://` address or in a data folder. */
async function onDatabase<Result>(address: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  if (isUrl(address)) return withConnection({ connectionString: address, max: 1 }, work)
  const embedded = await startEmbedded(path.resolve(address), "command", [], AbortSignal.timeout(OPEN_WITHIN_MS))
  return withConnection(embedded.config, work).finally(() => embedded.release())
}

/** Where a restore finds out what ended since the backup. With `isApplied`, it ends in the restored database too. */
export interface LiveDatabase {
  address: string
  isApplied: boolean
}

/** Returns the database that the settings name; null when there is none, or it is the target of a restore. */
export function liveDatabase(env: Pick<Env, "DATABASE_URL" | "DATA_DIR">, target: string): LiveDatabase | null {
  const url = env.DATABASE_URL
  if (url) return url === target ? null : { address: url, isApplied: false }
  const folder = path.resolve(env.DATA_DIR)
  const exists = existsSync(path.join(folder, "postgres", "PG_VERSION"))
  const isOther = isUrl(target) || path.resolve(target) !== folder
  return exists && isOther ? { address: folder, isApplied: false } : null
}

/** Throws `BackupRefused` when the database at an address cannot be read. */
export async function requireReadable(address: string): Promise<void> {
  const what = isUrl(address) ? new URL(address).host : address
  await onDatabase(address, (pool) => pool.query("SELECT FROM api_key LIMIT 1")).catch((cause) => {
    throw new BackupRefused(`The database at ${what} cannot be read`, { cause })
  })
}

/** Runs `work` on a database. Returns null when it cannot be read. */
export const readFrom = <Result>(address: string, work: (pool: Pool) => Promise<Result>): Promise<Result | null> =>
  onDatabase(address, work).catch(() => null)
