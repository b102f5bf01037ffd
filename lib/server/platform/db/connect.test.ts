import net from "node:net"
import { afterAll, expect, it, onTestFinished, vi } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { testDatabase } from "@/test/database"
import { listen } from "@/test/listen"
import { connectDatabase, withConnection } from "./connect"

afterAll(() => void vi.useRealTimers())

it("fails a server's query that gets no reply, and runs the next one on another connection", async () => {
  const { url, close } = await testDatabase()
  const database = await connectDatabase(readEnv({ DATABASE_URL: url }), "server")
  const client = await database.pool.connect()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const silent = expect(client.query("SELECT pg_sleep(5)")).rejects.toThrow("Query read timeout")
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  await silent
  client.release(true)
  expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  await database.close()
  await close()
})

it("notices that a connection without a time limit broke, and rejects", async () => {
  const { pool, url, close } = await testDatabase()
  const breaking = withConnection({ connectionString: url }, async (own) => {
    expect(own.options.keepAlive).toBe(true)
    const client = await own.connect()
    const ended = new Promise((resolve) => client.once("end", resolve))
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
    const sleeping = client.query("SELECT pg_sleep(60)")
    const broken = sleeping.finally(() => ended).finally(() => client.release(true))
    // It may break before the reply below.
    broken.catch(() => {})
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid])
    await broken
  })
  await expect(breaking).rejects.toThrow("terminating connection")
  await close()
})

/** Opens a route to this database whose `slow`th connection, from 1, gets no reply until `reply` is called. */
async function openRoute(databaseUrl: string, slow: number) {
  const { searchParams, port } = new URL(databaseUrl)
  const route = { url: "", held: Promise.resolve(), reply: () => {} }
  const replied = new Promise<void>((resolve) => {
    route.reply = resolve
  })
  let hold = () => {}
  route.held = new Promise<void>((resolve) => {
    hold = resolve
  })
  let connections = 0
  const server = net.createServer(async (socket) => {
    socket.on("error", () => {})
    if (++connections === slow) {
      hold()
      await replied
    }
    const postgres = net.connect(`${searchParams.get("host")}/.s.PGSQL.${port}`)
    postgres.on("error", () => {})
    socket.pipe(postgres).pipe(socket)
  })
  const url = new URL(databaseUrl)
  url.search = ""
  url.host = new URL(await listen(server)).host
  route.url = url.href
  return route
}

it("gives a connection for a migration or a command more time to open than requests get", async () => {
  const { url, close } = await testDatabase()
  const route = await openRoute(url, 1)
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const working = withConnection({ connectionString: route.url }, (pool) => pool.query("SELECT 1 AS one"))
  working.catch(() => {})
  await route.held
  vi.advanceTimersByTime(29_000)
  vi.useRealTimers()
  route.reply()
  expect((await working).rows).toEqual([{ one: 1 }])
  await close()
})

it("opens the first connection of the pool again when it takes longer than the 5 s that requests wait", async () => {
  const { url, close } = await testDatabase()
  // Two connections check the database, one the rights of its role, and one the schema.
  const route = await openRoute(url, 5)
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const connecting = connectDatabase(readEnv({ DATABASE_URL: route.url }), "server")
  await Promise.race([route.held, connecting])
  vi.advanceTimersByTime(5_000)
  vi.useRealTimers()
  const database = await connecting
  expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  expect(database.pool.totalCount).toBe(1)
  await database.close()
  await close()
})

it("rejects at once when its start is aborted, also while PostgreSQL does not reply", async () => {
  const { url, close } = await testDatabase()
  const route = await openRoute(url, 3)
  const starting = new AbortController()
  const connecting = connectDatabase(readEnv({ DATABASE_URL: route.url }), "server", starting.signal)
  connecting.catch(() => {})
  await route.held
  starting.abort(new Error("aborted by a test"))
  await expect(connecting).rejects.toThrow("aborted by a test")
  route.reply()
  await close()
}, 20_000)

it("a server that waits for its database reports it once a minute", async () => {
  let attempts = 0
  const server = net.createServer((socket) => {
    attempts++
    socket.destroy()
  })
  const address = new URL(await listen(server))
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs)
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  onTestFinished(() => [clock, stderr].forEach((spy) => void spy.mockRestore()))
  const starting = new AbortController()
  const onWaiting = vi.fn(async () => {})
  const env = readEnv({ DATABASE_URL: `postgres://${address.host}/x` })
  const connecting = connectDatabase(env, "server", starting.signal, onWaiting)
  connecting.catch(() => {})
  const written = () => stderr.mock.calls.map(([text]) => text)
  const twoMoreAttempts = async () => {
    const before = attempts
    await expect.poll(() => attempts).toBeGreaterThanOrEqual(before + 2)
  }

  await twoMoreAttempts()
  const line =
    "Waiting for the database. DATABASE_URL: PostgreSQL is unreachable (Connection terminated unexpectedly)\n"
  expect(written()).toEqual([line])
  aheadMs += 30_000
  await twoMoreAttempts()
  expect(written()).toEqual([line])
  aheadMs += 30_000
  await expect.poll(written).toEqual([line, line])
  expect(onWaiting).toHaveBeenCalledTimes(1)
  starting.abort(new Error("aborted by a test"))
  await expect(connecting).rejects.toThrow("aborted by a test")
})
