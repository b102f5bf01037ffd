import * as fs from "node:fs/promises"
import * as path from "node:path"
import { POSTGRES_LOG } from "@/lib/server/platform/db/cluster"
import type { Log } from "@/lib/server/platform/log"

const OTHERS = 0o077

/** Removes the rights of other users from a path that `uid` owns. Returns whether others may still use it. */
async function isShared(file: string, uid: number | undefined): Promise<boolean> {
  const { mode, uid: owner } = await fs.stat(file)
  if ((mode & OTHERS) === 0) return false
  if (owner === uid) await fs.chmod(file, mode & ~OTHERS).catch(() => {})
  return ((await fs.stat(file)).mode & OTHERS) !== 0
}

/**
 * Closes the data folder and PostgreSQL's log to other users of the machine, as far as the service owns them. Logs one warning with the
 * paths that stay open. Does nothing where they are missing.
 */
export async function keepPrivate(dataDir: string, log: Log, uid = process.getuid?.()): Promise<void> {
  const open: string[] = []
  for (const file of [path.resolve(dataDir), path.resolve(dataDir, POSTGRES_LOG)])
    if (await isShared(file, uid).catch(() => false)) open.push(file)
  if (open.length > 0)
    log.warn("Other users of this machine may open the data of the service", {
      event: "data_dir.shared",
      reason: open.join(", "),
    })
}
