import { execFileSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import * as http from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { stopListening } from "./stop-listening"

/** The clock of `stopListening`. It advances only by a test, so that a slow machine passes no time limit. */
let now = 0
beforeEach(() => vi.spyOn(performance, "now").mockImplementation(() => now))
afterEach(() => vi.restoreAllMocks())

async function listen(host: string) {
  const server = http.createServer((_request, response) => response.setHeader("connection", "close").end("ok"))
  const connections = vi.fn()
  server.on("connection", connections)
  server.listen(0, host)
  await once(server, "listening")
  return { server, connections, port: (server.address() as AddressInfo).port }
}

const listenerOf = (server: http.Server) =>
  (server as unknown as { _handle: { listen(backlog: number): number } })._handle

/** Opens a connection that has its request under way. Resolves with the response, or rejects when the connection is reset. */
async function request(host: string, port: number): Promise<string> {
  const socket = connect({ host, port })
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
  return text(socket)
}

/** Resolves after Node's next tick, in which it connects, and before the server can accept anything. */
const sent = () => new Promise<void>((resolve) => process.nextTick(resolve))

it.each(["127.0.0.1", "0.0.0.0", "::1", "::"])(
  "on %s, connections in the queue are served before it closes",
  async (host) => {
    const { server, port } = await listen(host)
    const responses = Array.from({ length: 20 }, () => request(host, port))
    await sent()
    await new Promise<void>((resolve) => void stopListening(server, resolve))
    for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1.1 200 /)
    await expect(request(host, port)).rejects.toThrow("ECONNREFUSED")
  },
)

it("a client that connects at the last moment is accepted", async () => {
  const { server, connections, port } = await listen("127.0.0.1")
  const listener = listenerOf(server)
  const limit = listener.listen.bind(listener)
  const joinOnce = vi.spyOn(listener, "listen").mockImplementation((backlog) => {
    if (backlog === 0 && joinOnce.mock.calls.length === 2)
      execFileSync("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`])
    return limit(backlog)
  })
  await new Promise<void>((resolve) => void stopListening(server, resolve))
  // The first own connection and the client behind it. The second own connection was last.
  expect(connections).toHaveBeenCalledTimes(2)
})

/** Adds a client that has yet to send its last packet to the kernel's table. Returns a function that removes it. */
function showOpening(port: number): () => void {
  const at = port.toString(16).toUpperCase().padStart(4, "0")
  const row = `  99: 0100007F:${at} 0100007F:E0F2 03 00000000:00000000 01:00000063 00000000 0 0 0 1 0000000000000000\n`
  const read = fs.readFileSync
  const spy = vi.spyOn(fs, "readFileSync").mockImplementation(((file: string, encoding: "latin1") => {
    const table = read(file, encoding)
    return file.endsWith("/tcp") ? table + row : table
  }) as typeof fs.readFileSync)
  return () => spy.mockRestore()
}

it("it stays open while a client has yet to send its last packet", async () => {
  const { server, port } = await listen("127.0.0.1")
  const complete = showOpening(port)
  const closed = new Promise<void>((resolve) => void stopListening(server, resolve))
  await expect(request("127.0.0.1", port)).resolves.toMatch(/^HTTP\/1.1 200 /)
  expect(server.listening).toBe(true)
  complete()
  await closed
})

it("a client that never sends its last packet does not keep it open, and others are still not reset", async () => {
  const { server, port } = await listen("127.0.0.1")
  const limit = vi.spyOn(listenerOf(server), "listen")
  showOpening(port)
  const closed = new Promise<void>((resolve) => void stopListening(server, resolve))
  await expect.poll(() => limit.mock.calls).toEqual([[511], [0], [511]])
  now += 1_000
  await closed
  // It closed a queue that took no more connections, as without such a client.
  expect(limit.mock.lastCall).toEqual([0])
})

it("closing a server that does not listen ends", () =>
  new Promise<void>((resolve) => void stopListening(http.createServer(), resolve)))
