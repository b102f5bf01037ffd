import { once } from "node:events"
import * as net from "node:net"
import { describe, expect, it, vi } from "vitest"
import type { LogFields } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertPayer } from "@/test/insert-rows"
import { exchange, RawConnection } from "@/test/raw-http"
import { startEdge, testService } from "@/test/service"
import { createEdge } from "./edge"

const LIMIT = 29_360_128

await testService()
const { edge, url } = await startEdge("api", null)
const { token } = await insertPayer()

/** A connection to the server, what it received, and when the server closed it. */
function connect() {
  const socket = net.connect(Number(new URL(url).port), "127.0.0.1")
  const received = { text: "" }
  socket.on("data", (chunk) => {
    received.text += chunk
  })
  return { socket, received, closed: once(socket, "close") }
}

const BODY = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })
const head = (...more: string[]) =>
  [
    "POST /v1/decisions HTTP/1.1",
    "host: x",
    "content-type: application/json",
    `authorization: Bearer ${token}`,
    `content-length: ${BODY.length}`,
    ...more,
    "",
    "",
  ].join("\r\n")

describe("an unknown path or method", () => {
  it.each([
    ["JSON over 28 MiB", "/v1/nope", LIMIT + 1, "application/json", 404],
    ["JSON over 1 MiB", "/v1/nope", 1_048_577, "application/json", 404],
    ["malformed JSON", "/v1/nope", 2, "application/json", 404],
    ["an unknown content type", "/v1/nope", 2, "text/x-none", 404],
    ["JSON over 28 MiB", "/v1/models", LIMIT + 1, "application/json", 405],
  ])("with a body of %s at %s is refused without an error in the log", async (_what, path, bytes, type, status) => {
    const logged: (LogFields | undefined)[] = []
    const log = vi.spyOn(runtime().log, "error").mockImplementation((_message, fields) => void logged.push(fields))
    const body = Buffer.alloc(bytes, "{")
    const response = await fetch(`${url}${path}`, { method: "POST", headers: { "content-type": type }, body })
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: { type: "invalid_request_error" } },
    ])
    expect(logged).toEqual([])
    log.mockRestore()
  })

  it("is refused before its body is sent, and the connection serves the next request", async () => {
    const connection = new RawConnection(url)
    await connection.write(`POST /v1/nope HTTP/1.1\r\nhost: x\r\ncontent-length: ${LIMIT + 1}\r\n\r\n`)
    expect((await connection.awaitResponses()).map(({ status }) => status)).toEqual([404])
    await connection.write(Buffer.alloc(LIMIT + 1))
    await connection.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
    expect((await connection.awaitResponses(2)).map(({ status }) => status)).toEqual([404, 200])
    connection.socket.destroy()
  })
})

describe("a refused upload whose body is still arriving", () => {
  it("keeps no page from being served", async () => {
    const pages = { perClient: 1, total: 1 }
    const { url } = await startEdge("all", (_request, response) => void response.end("a page"), { pages })
    const upload = new RawConnection(url)
    await upload.write("POST / HTTP/1.1\r\nhost: x\r\norigin: https://other.example\r\ncontent-length: 99\r\n")
    await upload.write("connection: close\r\n\r\na")
    await expect.poll(() => upload.received).toContain("HTTP/1.1 403")
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, "a page"])
    upload.socket.destroy()
  })
})

describe("the edge", () => {
  it("finds a route whose path is percent-encoded", async () => {
    expect((await exchange(url, "GET /v1/%6dodels?x=1 HTTP/1.1\r\nhost: x\r\n\r\n")).status).toBe(200)
  })

  it("ignores an expectation other than 100-continue", async () => {
    const { socket, received, closed } = connect()
    socket.write(`${head("expect: something", "connection: close")}${BODY}`)
    await closed
    expect(received.text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-request-id: req_/)
  })

  it("rejects when its port is in use", async () => {
    const port = Number(new URL(url).port)
    await expect(createEdge("api", null).listen({ port, host: "127.0.0.1" })).rejects.toThrow("EADDRINUSE")
  })

  it("answers requests on an open connection while it stops, then closes the connection", async () => {
    const { socket, received, closed } = connect()
    const idle = new RawConnection(url)
    await idle.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
    await idle.awaitResponses()
    socket.write(head())
    await expect.poll(() => edge.inFlight.count).toBe(1)
    const stopped = edge.close()
    await idle.closed
    socket.write(`${BODY}${head()}${BODY}`)
    await closed
    await stopped
    const responses = received.text.split(/(?=HTTP\/1\.1)/)
    expect(responses).toHaveLength(2)
    for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*x-request-id: req_/)
  })
})
