import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { expect, onTestFinished, test, vi } from "vitest"
import { testRuntime } from "@/test/database"
import { RawConnection } from "@/test/raw-http"
import { startEdge } from "@/test/service"

await testRuntime()
const GET = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"

/** Starts an edge, and counts the requests that it parses in each tick of the event loop. */
async function startCounted(answer = (response: ServerResponse) => void response.end("a page")) {
  const pages = { perClient: 1_000, total: 1_000 }
  const { edge, url } = await startEdge("all", (_request, response) => answer(response), { pages })
  const ticks: number[] = []
  let parsed = 0
  edge.server.on("request", () => {
    if (parsed++ > 0) return
    setImmediate(() => {
      ticks.push(parsed)
      parsed = 0
    })
  })
  const connect = async () => {
    const accepted = once(edge.server, "connection")
    const connection = new RawConnection(url)
    onTestFinished(() => void connection.socket.destroy())
    await accepted
    return connection
  }
  return { connect, ticks, edge }
}

const connectAll = async (connect: () => Promise<RawConnection>, count: number) => {
  const connections: RawConnection[] = []
  for (let i = 0; i < count; i++) connections.push(await connect())
  return connections
}

const awaitPages = (connection: RawConnection, count: number) =>
  expect.poll(() => connection.received.split("a page").length - 1, { timeout: 50_000, interval: 100 }).toBe(count)

test("pipelined requests that arrive on many connections at once are parsed over many ticks, and all answered", async () => {
  const { connect, ticks } = await startCounted()
  const connections = await connectAll(connect, 20)
  // All bytes are in the server's buffers before it reads any of them.
  for (const { socket } of connections) socket.write(GET.repeat(100))
  await Promise.all(connections.map((connection) => awaitPages(connection, 100)))
  expect(ticks.reduce((sum, parsed) => sum + parsed)).toBe(2_000)
  expect(Math.max(...ticks)).toBeLessThanOrEqual(200)
})

test("requests that take 1 ms each are parsed a slice at a time, so that others are served in between", async () => {
  const { connect, ticks, edge } = await startCounted()
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs)
  onTestFinished(() => clock.mockRestore())
  edge.server.on("request", () => aheadMs++)
  const connections = await connectAll(connect, 20)
  for (const { socket } of connections) socket.write(GET.repeat(15))
  await Promise.all(connections.map((connection) => awaitPages(connection, 15)))
  expect(ticks.reduce((sum, parsed) => sum + parsed)).toBe(300)
  expect(Math.max(...ticks)).toBeLessThanOrEqual(30)
})

test("requests behind a response that is not finished are parsed only when they can be answered", async () => {
  const waiting: ServerResponse[] = []
  const { connect, edge } = await startCounted((response) => void waiting.push(response))
  let parsed = 0
  edge.server.on("request", () => parsed++)
  const { socket } = await connect()
  socket.write(GET.repeat(2_000))
  await expect.poll(() => waiting.length).toBe(4)
  for (let answered = 0; answered < 8; answered++) {
    waiting.shift()?.end("a page")
    await expect.poll(() => waiting.length).toBe(4)
  }
  // Twelve were answered or begun. A slice holds 19 of them.
  expect(parsed).toBeLessThanOrEqual(12 + 19)
  waiting[0]?.destroy()
})

test("a connection that waited for each response cannot have a burst parsed in one tick", async () => {
  const { connect, ticks } = await startCounted()
  const connection = await connect()
  await connection.write(GET)
  await connection.awaitResponses(1)
  connection.socket.write(GET.repeat(400))
  await awaitPages(connection, 401)
  expect(Math.max(...ticks)).toBeLessThanOrEqual(200)
})

test("a connection that waits for each response is read in the same tick as such a burst", async () => {
  const { connect } = await startCounted()
  const greedy = await connectAll(connect, 10)
  const calm = await connect()
  await calm.write(GET)
  await calm.awaitResponses(1)
  for (const { socket } of greedy) socket.write(GET.repeat(400))
  calm.socket.write(GET)
  await calm.awaitResponses(2, 50_000)
  const answered = greedy.filter(({ received }) => received.length > 0).length
  expect(answered).toBeLessThan(10)
})
