import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { testRuntime } from "@/test/database"
import { RawConnection } from "@/test/raw-http"
import { createEdge } from "./edge"

await testRuntime()
const GET = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"

/** Starts an edge, and counts the requests that it parses in each turn of the event loop. */
async function startCounted() {
  const edge = createEdge("all", (_request, response) => void response.end("a page"))
  await edge.listen({ port: 0, host: "127.0.0.1" })
  onTestFinished(() => edge.close())
  const turns: number[] = []
  let parsed = 0
  edge.server.on("request", () => {
    if (parsed++ > 0) return
    setImmediate(() => {
      turns.push(parsed)
      parsed = 0
    })
  })
  const connect = async () => {
    const accepted = once(edge.server, "connection")
    const connection = new RawConnection(`http://127.0.0.1:${(edge.server.address() as AddressInfo).port}`)
    onTestFinished(() => void connection.socket.destroy())
    await accepted
    return connection
  }
  return { connect, turns }
}

const connectAll = async (connect: () => Promise<RawConnection>, count: number) => {
  const connections: RawConnection[] = []
  for (let i = 0; i < count; i++) connections.push(await connect())
  return connections
}

test("pipelined requests that arrive on many connections at once are parsed over many turns, and all answered", async () => {
  const { connect, turns } = await startCounted()
  const connections = await connectAll(connect, 20)
  // All bytes are in the server's buffers before it reads any of them.
  for (const { socket } of connections) socket.write(GET.repeat(100))
  await Promise.all(connections.map((connection) => connection.awaitResponses(100, 50_000)))
  expect(turns.reduce((sum, parsed) => sum + parsed)).toBe(2_000)
  expect(Math.max(...turns)).toBeLessThanOrEqual(200)
})

test("a connection that waits for each response is read in the same turn as such a burst", async () => {
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
