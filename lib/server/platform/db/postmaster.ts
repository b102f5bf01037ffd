import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { BadSetting } from "@/lib/server/platform/env"

export interface Postmaster {
  pid: number
  /** The cluster's folder when PostgreSQL started. */
  folder: string
  port: number
  socketDir: string
  ready: boolean
}

const pidFile = (pgdata: string) => path.join(pgdata, "postmaster.pid")

/** Reads the cluster's pid file. Returns null when there is none. */
export async function readPostmaster(pgdata: string): Promise<Postmaster | null> {
  const text = await fs.readFile(pidFile(pgdata), "utf8").catch(() => null)
  if (!text) return null
  const line = text.split("\n")
  return {
    pid: Number(line[0]),
    folder: line[1] ?? "",
    port: Number(line[3]),
    socketDir: line[4] ?? "",
    ready: (line[7] ?? "").trim() === "ready",
  }
}

/** Removes the pid file that a killed PostgreSQL left. */
export const forgetPostmaster = (pgdata: string): Promise<void> => fs.rm(pidFile(pgdata), { force: true })

/** Identifies a folder whatever path leads to it. Null when the path leads nowhere. */
async function identify(folder: string): Promise<string | null> {
  try {
    const { dev, ino } = await fs.stat(folder, { bigint: true })
    return `${dev}:${ino}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return null
    return folder
  }
}

/**
 * Throws `BadSetting` when the pid file belongs to another folder, because this one was copied while PostgreSQL was running there.
 * The socket in that file leads to the other cluster, and the copied tables may be inconsistent. A folder that was moved after a
 * crash is accepted.
 */
export async function refuseCopy(pgdata: string, { pid, folder }: Postmaster): Promise<void> {
  const original = await identify(folder)
  if (original === (await identify(pgdata)) || (original === null && !isPostgres(pid))) return
  throw new BadSetting(
    `DATA_DIR was copied or moved while PostgreSQL was running in ${folder}. Stop the service there, then copy the folder again`,
  )
}

/**
 * Returns whether this process is a running PostgreSQL. The pid may meanwhile belong to another program, or to a zombie: only on Linux does
 * that return false.
 */
export function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
  }
  if (process.platform !== "linux") return true
  try {
    return /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

/** Stops PostgreSQL, also one that recovers. Resolves when it has ended. */
export async function stopPostmaster({ pid }: Postmaster): Promise<void> {
  try {
    if (isPostgres(pid)) process.kill(pid, "SIGINT")
  } catch {
    // It has just ended.
  }
  while (isPostgres(pid)) await sleep(20)
}
