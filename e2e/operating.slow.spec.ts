import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { newDatabase } from "./support/database"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { expect, test } from "./support/test"

/** Starts the server with only these settings, and returns its exit code and output. */
function startAndFail(
  settings: Record<string, string>,
): Promise<{ code: number | null; stderr: string; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["dist/server.js"],
      { env: { PATH: process.env.PATH, NODE_ENV: "production", ...settings } as NodeJS.ProcessEnv },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stderr, stdout }),
    )
  })
}

test("a bad setting stops the start with one line that names it", async () => {
  expect(await startAndFail({ PORT: "eighty" })).toEqual({
    code: 1,
    stdout: "",
    stderr: "Bad setting: PORT must be a number\n",
  })
})

test.describe("a server with a PostgreSQL of its own", () => {
  let service: Service
  test.beforeAll(async () => {
    service = await Service.startEmbedded()
  })
  test.afterAll(() => service.destroy())

  test("a second server on one data folder is refused, and the first keeps running", async () => {
    const second = await startAndFail({ DATA_DIR: service.dataDir, PORT: "0" })
    expect(second).toMatchObject({ code: 1, stderr: "Bad setting: DATA_DIR is in use by another running server\n" })
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  test("a start that fails leaves no PostgreSQL running", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-taken-"))
    const second = await startAndFail({ DATA_DIR: dataDir, PORT: new URL(service.url).port })
    expect(second.code).toBe(1)
    expect(second.stderr).toContain("EADDRINUSE")
    expect(await readdir(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid")
    await rm(dataDir, { recursive: true, force: true })
  })

  test("the operator's command works beside a running server, in a process of its own", async () => {
    await service.operatorProcess("account", "create", "ada@example.com")
    const { key } = await service.operatorProcess<{ key: string }>("key", "create", "ada@example.com", "--name", "Test")
    expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
    expect((await service.operatorProcess<{ ok: boolean }>("ledger", "verify")).ok).toBe(true)
    await expect(service.operatorProcess("account", "show", "nobody@example.com")).rejects.toMatchObject({ code: 1 })
  })

  test("a data folder whose server and PostgreSQL were both killed starts again", async () => {
    const { key } = await service.createAccountWithKey("grace@example.com")
    process.kill(await service.postgresPid(), "SIGKILL")
    await service.end("SIGKILL")
    await service.resume()
    expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  })
})

test("API and console run separately on one database: the API without pages, the console without an API", async () => {
  const database = await newDatabase()
  const api = await Service.start({ SERVE: "api", DATABASE_URL: database.url })
  const web = await Service.start({ SERVE: "console", DATABASE_URL: database.url })
  const { key } = await api.createAccountWithKey("ada@example.com")
  expect((await api.decide(key, ONE_QUESTION)).status).toBe(200)
  expect((await fetch(`${api.url}/sign-in`)).status).toBe(404)
  expect((await web.decide(key, ONE_QUESTION)).status).toBe(404)
  expect((await fetch(`${web.url}/sign-in`)).status).toBe(200)
  expect((await fetch(`${web.url}/playground/decisions`, { method: "POST" })).status).toBe(403)
  await Promise.all([api.destroy(), web.destroy()])
  await database.drop()
})
