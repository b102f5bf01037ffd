import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it } from "vitest"
import { afterFile } from "./after-file"
import { testDatabase } from "./database"
import { deleteAbandoned } from "./postgres-cluster"

const NO_PROCESS = 2 ** 31 - 1

it("deletes old folders of killed runs, but none of a running PostgreSQL, of a young run or of others", async () => {
  const { pool, close } = await testDatabase()
  const parent = await mkdtemp(path.join(tmpdir(), "svcd-abandoned-"))
  afterFile(async () => {
    await close()
    await rm(parent, { recursive: true, force: true })
  })
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  const create = async (name: string, ageInMinutes: number, pid?: number) => {
    const pgdata = path.join(parent, name, "postgres")
    await mkdir(pgdata, { recursive: true })
    if (pid !== undefined) await writeFile(path.join(pgdata, "postmaster.pid"), `${pid}\n${pgdata}\n`)
    const changedAt = Date.now() / 1000 - ageInMinutes * 60
    await utimes(path.join(parent, name), changedAt, changedAt)
  }
  await create("svcd-test-stopped", 11)
  await create("svcd-test-killed", 11, NO_PROCESS)
  await create("svcd-test-running", 11, rows[0]?.pid)
  await create("svcd-test-young", 9)
  await create("other", 11)

  await deleteAbandoned(parent)

  expect((await readdir(parent)).toSorted()).toEqual(["other", "svcd-test-running", "svcd-test-young"])
})
