import { once } from "node:events"
import { existsSync } from "node:fs"
import { appendFile, writeFile } from "node:fs/promises"
import { connect, createServer } from "node:net"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { sendDecision } from "@/test/send-decision"
import { launchServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"

const { databaseUrl } = await testRuntime()

async function statusOf(url: string): Promise<[number, unknown]> {
  const response = await fetch(url).catch(() => null)
  return response ? [response.status, await response.json()] : [0, null]
}

it("a server waits for a database that is unreachable, is alive and not ready meanwhile, and then serves", async () => {
  const { searchParams, port: databasePort } = new URL(databaseUrl)
  const port = await freePort()
  const address = new URL(databaseUrl)
  address.search = ""
  address.host = `127.0.0.1:${port}`
  const server = await launchServer({ DATABASE_URL: address.href })
  onTestFinished(async () => {
    server.signal("SIGKILL")
    await server.ended
  })
  await expect.poll(() => statusOf(`${server.url}/healthz`)).toEqual([200, { status: "ok" }])
  expect(await statusOf(`${server.url}/readyz`)).toEqual([
    503,
    { status: "unavailable", reason: "database_unreachable" },
  ])
  expect((await sendDecision(server.url, "svcd_x")).status).toBe(500)
  const waiting = "Waiting for the database. DATABASE_URL: PostgreSQL is unreachable (ECONNREFUSED)\n"
  expect(server.written()).toBe(waiting)

  const route = createServer((socket) => {
    const postgres = connect(`${searchParams.get("host")}/.s.PGSQL.${databasePort}`)
    for (const end of [socket, postgres]) end.on("error", () => {})
    socket.pipe(postgres).pipe(socket)
  }).listen(port, "127.0.0.1")
  await once(route, "listening")
  onTestFinished(() => void route.close())
  await expect.poll(async () => (await statusOf(`${server.url}/readyz`))[0]).toBe(200)
  const { token } = await insertFastKey()
  expect((await sendDecision(server.url, token)).status).toBe(200)
  expect(server.written().startsWith(`${waiting}Ready in `)).toBe(true)
})

it("a server is alive and not ready while its own PostgreSQL recovers from a crash, and a signal ends both", async () => {
  const dataDir = tempFolder()
  const pgdata = path.join(dataDir, "postgres")
  await (await startEmbedded(dataDir, "command")).release()
  // Recovery that finds `recovery.signal` runs this command, which takes as long as the file `hold` exists.
  await appendFile(
    path.join(pgdata, "postgresql.auto.conf"),
    "restore_command = 'while [ -e hold ]; do sleep 0.1; done; false'\n",
  )
  for (const file of ["hold", "recovery.signal"]) await writeFile(path.join(pgdata, file), "")
  const server = await launchServer({ DATA_DIR: dataDir, SERVE: "all" })
  onTestFinished(async () => {
    server.signal("SIGTERM")
    await server.ended
  })
  await expect.poll(() => statusOf(`${server.url}/healthz`)).toEqual([200, { status: "ok" }])
  expect(await statusOf(`${server.url}/readyz`)).toEqual([
    503,
    { status: "unavailable", reason: "database_unreachable" },
  ])
  server.signal("SIGTERM")
  expect(await server.ended).toBe(1)
  expect(server.written()).toBe("Stopped by a signal before the database was open\n")
  expect(existsSync(path.join(pgdata, "postmaster.pid"))).toBe(false)
})

it("a signal ends a server that waits for its database", async () => {
  const server = await launchServer({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` })
  await expect.poll(server.written).toContain("Waiting for the database")
  server.signal("SIGTERM")
  expect(await server.ended).toBe(1)
  expect(server.written()).toContain("Stopped by a signal before the database was open")
})
