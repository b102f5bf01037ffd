import { once } from "node:events"
import { connect, createServer } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { sendDecision } from "@/test/send-decision"
import { launchServer } from "@/test/server-process"

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

it("a signal ends a server that waits for its database", async () => {
  const server = await launchServer({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/x` })
  await expect.poll(server.written).toContain("Waiting for the database")
  server.signal("SIGTERM")
  expect(await server.ended).toBe(1)
  expect(server.written()).toContain("Stopped by a signal before the database was open")
})
