import { appendFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { connectDatabase } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { isPostgres, type Postmaster, readPostmaster, stopPostmaster } from "@/lib/server/platform/db/postmaster"
import { readEnv } from "@/lib/server/platform/env"
import { launchServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"
import { waitsForLock } from "@/test/waits-for-lock"

const STOPPED = "Stopped by a signal before the database was open\n"

function newFolder(): { dir: string; pgdata: string } {
  const dir = tempFolder()
  return { dir, pgdata: path.join(dir, "postgres") }
}

/** Lets the next recovery of a stopped PostgreSQL take as long as the file `hold` exists. */
async function holdRecovery(pgdata: string): Promise<void> {
  for (const file of ["hold", "recovery.signal"]) await writeFile(path.join(pgdata, file), "")
  const setting = "restore_command = 'while [ -e hold ]; do sleep 0.1; done; false'\n"
  await appendFile(path.join(pgdata, "postgresql.auto.conf"), setting)
}

/** Starts a server on a data folder. After the test, ends it and its PostgreSQL. */
async function launch({ dir, pgdata }: { dir: string; pgdata: string }) {
  const server = await launchServer({ SERVE: "all", DATA_DIR: dir })
  onTestFinished(async () => {
    server.signal("SIGKILL")
    await server.ended
    const left = await readPostmaster(pgdata)
    if (left) await stopPostmaster(left)
  })
  return server
}

const recovering = newFolder()
await (await startEmbedded(recovering.dir, "command")).release()
await holdRecovery(recovering.pgdata)

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s ends a start that waits for PostgreSQL, and PostgreSQL",
  async (signal) => {
    const { pgdata } = recovering
    const server = await launch(recovering)
    await expect.poll(() => readPostmaster(pgdata)).toMatchObject({ ready: false })
    const { pid } = (await readPostmaster(pgdata)) as Postmaster
    server.signal(signal)
    expect(await server.ended).toBe(1)
    expect(server.written()).toBe(STOPPED)
    expect(isPostgres(pid)).toBe(false)
    expect(await readPostmaster(pgdata)).toBeNull()
  },
)

it("SIGTERM ends a start that waits for another process's transaction, which continues", async () => {
  const folder = newFolder()
  const other = await connectDatabase(readEnv({ DATA_DIR: folder.dir }), "command")
  const blocker = await other.pool.connect()
  await blocker.query("BEGIN; LOCK _prisma_migrations IN ACCESS EXCLUSIVE MODE")
  const server = await launch(folder)
  await waitsForLock(1, other.pool)
  server.signal("SIGTERM")
  expect(await server.ended).toBe(1)
  expect(server.written()).toBe(STOPPED)
  expect((await blocker.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  blocker.release(true)
  await other.close()
  expect(await readPostmaster(folder.pgdata)).toBeNull()
})
