import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { ensureRunning, locate } from "@/lib/server/platform/db/cluster"
import { openPool } from "@/lib/server/platform/db/connect"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readPostmaster, stopPostmaster } from "@/lib/server/platform/db/postmaster"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { afterFile } from "./after-file"

export interface OwnPostgres {
  url: string
  /** Stops PostgreSQL, which ends its connections. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops or continues every process of PostgreSQL, so that connections stay open and nothing replies. */
  freeze(isFrozen: boolean): Promise<void>
}

async function processesOf(postmaster: number): Promise<number[]> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")
  return [postmaster, ...children.trim().split(" ").filter(Boolean).map(Number)]
}

/** Starts a migrated PostgreSQL that the test file may stop, and installs a runtime on it. */
export async function startOwnPostgres(): Promise<OwnPostgres & { runtime: Runtime }> {
  const dir = await mkdtemp(path.join(tmpdir(), "svcd-outage-"))
  const cluster = await locate(dir, ["fsync=off"])
  const { socketDir: host, port } = await ensureRunning(cluster)
  const stop = async () => {
    const running = await readPostmaster(cluster.pgdata)
    if (running) await stopPostmaster(running)
  }
  const freeze = async (isFrozen: boolean) => {
    const running = await readPostmaster(cluster.pgdata)
    for (const pid of running ? await processesOf(running.pid) : []) process.kill(pid, isFrozen ? "SIGSTOP" : "SIGCONT")
  }
  const pool = openPool({ host, port, user: "svcd", database: "postgres" })
  await migrate(pool)
  const settings = { NODE_ENV: "test", LOG_LEVEL: "silent", AUTH_SECRET: "a-secret-for-tests-of-32-characters" }
  const { runtime, close } = await createRuntime(readEnv(settings), pool, { role: "command" })
  installRuntime(runtime)
  afterFile(async () => {
    await freeze(false)
    await close()
    await stop()
    await rm(dir, { recursive: true, force: true })
    // Last, because it waits for a connection that a failed test did not release.
    await pool.end()
  })
  const url = `postgresql://svcd@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
  return { url, runtime, stop, freeze, start: async () => void (await ensureRunning(cluster)) }
}
