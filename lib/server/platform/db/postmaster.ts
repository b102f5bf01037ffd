import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"

export interface Postmaster {
  pid: number
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
    port: Number(line[3]),
    socketDir: line[4] ?? "",
    ready: (line[7] ?? "").trim() === "ready",
  }
}

/** Removes the pid file that a killed PostgreSQL left. */
export const forgetPostmaster = (pgdata: string): Promise<void> => fs.rm(pidFile(pgdata), { force: true })

/** Returns whether this process is a running PostgreSQL. The pid may meanwhile belong to another program, or to a zombie. */
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
