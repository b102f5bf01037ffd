import { createServer } from "node:http"
import { connect } from "node:net"
import { beforeEach, expect, test, vi } from "vitest"
import { listen } from "@/test/listen"
import { LIMIT, padded, SLOWLY, summary, uploads } from "@/test/uploads"
import { BodyBudget } from "./body-budget"
import { BodyTicks } from "./body-ticks"
import { readBody } from "./read-body"

const MAX_PER_TICK = 256 * 1024
/** Node reads a connection in pieces of this size. */
const CHUNK = 64 * 1024

/** Records how many bytes were read in each tick of the event loop, until the next `setImmediate`. */
class RecordedTicks extends BodyTicks {
  longest = 0
  #now = 0
  override count(bytes: number): Promise<void> | undefined {
    if (this.#now === 0) setImmediate(() => (this.#now = 0))
    this.#now += bytes
    this.longest = Math.max(this.longest, this.#now)
    return super.count(bytes)
  }
}

let ticks = new RecordedTicks()
beforeEach(() => {
  ticks = new RecordedTicks()
})
const chunks: Buffer[] = []
const server = createServer(async (request, response) => {
  // A listener that is added before the body is read would start to read it.
  request.once("newListener", () => request.on("data", (chunk: Buffer) => chunks.push(chunk)))
  const { signal } = new AbortController()
  const body = await readBody({ request, response, signal, ticks }, new BodyBudget().reservation())
  response.end(String(body.reduce((sum, byte) => sum + byte, 0)))
})
const { port } = new URL(await listen(server))

async function upload(bytes: number, coding: "declared" | "chunked"): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1")
  const body = Buffer.alloc(bytes, 1)
  const length = coding === "declared" ? `content-length: ${bytes}` : "transfer-encoding: chunked"
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${length}\r\n\r\n`)
  if (coding === "declared") socket.write(body)
  else socket.write(Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]))
  let received = ""
  for await (const text of socket.setEncoding("utf8")) received += text
  return received.split("\r\n\r\n", 2)[1]?.replace(/^[0-9a-f]+\r\n|\r\n.*$/gs, "") ?? ""
}

test("eight uploads at once share each tick of the event loop, and arrive whole", async () => {
  const sums = await Promise.all(Array.from({ length: 8 }, () => upload(4_000_000, "declared")))
  expect(sums).toEqual(Array(8).fill("4000000"))
  expect(ticks.longest).toBeGreaterThan(MAX_PER_TICK)
  expect(ticks.longest).toBeLessThanOrEqual(MAX_PER_TICK + 8 * CHUNK)
})

test.each(["declared", "chunked"] as const)(
  "a %s body leaves none of its chunks to the garbage collector",
  async (coding) => {
    chunks.length = 0
    expect(await upload(2_000_000, coding)).toBe("2000000")
    const left = chunks.filter(({ length }) => length > 0)
    expect([chunks.length > 10, left.reduce((sum, { length }) => sum + length, 0) < CHUNK]).toEqual([true, true])
  },
)

const { service, declared, answerTo } = uploads()

test("the memory of a large body is freed after its response", async () => {
  const read = vi.spyOn(service().runtime.reader, "read")
  const memory: Uint8Array[] = []
  read.mockImplementation((body, onMemory) => {
    read.mockRestore()
    return service().runtime.reader.read(body, (bytes) => {
      memory.push(bytes)
      onMemory?.(bytes)
    })
  })
  const answer = await answerTo(async (connection) => {
    await connection.write(declared(LIMIT))
    await connection.write(padded(LIMIT))
  })
  expect(summary(answer)).toBe("200 ok")
  expect(memory).toHaveLength(1)
  await expect.poll(() => memory[0]?.length, SLOWLY).toBe(0)
})
