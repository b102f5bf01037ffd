import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "@playwright/test"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"

/** Starts the server with these settings alone, and answers how it ended. */
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
  expect(await startAndFail({ CONSOLE_URL: "https://decide.example" })).toMatchObject({
    code: 1,
    stderr: "Bad setting: AUTH_SECRET is required when CONSOLE_URL is not this machine\n",
  })
})

test("a second server on one data folder is refused, and the first goes on", async () => {
  const service = await Service.start()
  const second = await startAndFail({ DATA_DIR: service.dataDir, PORT: "0" })
  expect(second).toMatchObject({ code: 1, stderr: "Bad setting: DATA_DIR is in use by another running server\n" })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  await service.destroy()
})

test("a start that fails leaves no PostgreSQL running", async () => {
  const service = await Service.start()
  const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-taken-"))
  const second = await startAndFail({ DATA_DIR: dataDir, PORT: new URL(service.url).port })
  expect(second.code).toBe(1)
  expect(second.stderr).toContain("EADDRINUSE")
  expect(await readdir(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid")
  await service.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

test("a data folder whose server and PostgreSQL were both killed starts again", async () => {
  const service = await Service.start()
  const { key } = await service.createAccountWithKey("ada@example.com")
  process.kill(await service.postgresPid(), "SIGKILL")
  await service.end("SIGKILL")
  await service.resume()
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await service.destroy()
})

test("the halves run apart on one database: the API without pages, the console without an API", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-halves-"))
  const postgres = await startEmbedded(dataDir, "command")
  const { host, port, user, database } = postgres.config
  const DATABASE_URL = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`
  const api = await Service.start({ SERVE: "api", DATABASE_URL })
  const web = await Service.start({ SERVE: "console", DATABASE_URL })
  const { key } = await api.createAccountWithKey("ada@example.com")
  expect((await api.decide(key, ONE_QUESTION)).status).toBe(200)
  expect((await fetch(`${api.url}/sign-in`)).status).toBe(404)
  expect((await web.decide(key, ONE_QUESTION)).status).toBe(404)
  expect((await fetch(`${web.url}/sign-in`)).status).toBe(200)
  expect((await fetch(`${web.url}/playground/decisions`, { method: "POST" })).status).toBe(403)
  await Promise.all([api.destroy(), web.destroy()])
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
})
