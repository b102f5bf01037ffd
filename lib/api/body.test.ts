import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { mintFastKey } from "../../test/mint"
import { postHead, type RawAnswer, RawConnection } from "../../test/raw-http"
import { type TestService, testService } from "../../test/service"
import { ALIAS } from "../models/ids"
import { BodyBudget } from "./body-budget"

// Bodies of 28 MiB on a machine that may be busy with other suites.
vi.setConfig({ testTimeout: 40_000 })

const MIB = 1024 * 1024
const LIMIT = 29_360_128
/** Room for two bodies of 2 MiB beside each other, and for one of undeclared length. */
const bodies = new BodyBudget(LIMIT)

let service: TestService
let authorization: string
beforeAll(async () => {
  service = await testService({}, { bodies })
  authorization = `Bearer ${(await mintFastKey()).token}`
})

const TEXT = JSON.stringify({ model: ALIAS, state: "hi", questions: { q: { type: "noul", instructions: "Is it?" } } })
/** A valid request of exactly this many bytes: white space is insignificant. */
const padded = (bytes: number) => Buffer.concat([Buffer.from(TEXT), Buffer.alloc(bytes - TEXT.length, " ")])
const declared = (bytes: number, headers: Record<string, string> = {}) =>
  postHead({ authorization, "content-length": bytes, ...headers })
const BAD = "Bearer svcd_0000000000000000000000000000000000000etOEM"

const summary = ({ status, body }: RawAnswer) =>
  body ? `${status} ${JSON.parse(body).error?.code ?? "ok"}` : `${status}`
const hasRates = ({ headers }: RawAnswer) => "x-ratelimit-limit" in headers

/** Sends a head and the body in chunks, all but the one that ends it. */
async function sendPieces(connection: RawConnection, headers: Record<string, string>, body: Buffer): Promise<void> {
  await connection.write(postHead({ "transfer-encoding": "chunked", ...headers }))
  for (let at = 0; at < body.length && connection.socket.writable; at += 65_521) {
    const piece = body.subarray(at, at + 65_521)
    connection.socket.write(`${piece.length.toString(16)}\r\n`)
    connection.socket.write(piece)
    await connection.write("\r\n")
  }
}

async function sendChunked(connection: RawConnection, headers: Record<string, string>, body: Buffer): Promise<void> {
  await sendPieces(connection, headers, body)
  await connection.write("0\r\n\r\n")
}

/** The first answer to a body that is sent whole. */
async function answerTo(send: (connection: RawConnection) => Promise<void>): Promise<RawAnswer> {
  const connection = new RawConnection(service.url)
  await send(connection)
  const [answer] = await connection.awaitAnswers()
  connection.socket.destroy()
  if (!answer) throw new Error("no answer")
  return answer
}

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

describe("the limit of 29,360,128 bytes", () => {
  it("is kept by a declared length alone, before the key is looked at and before anything is sent", async () => {
    const answer = await answerTo((connection) => connection.write(declared(LIMIT + 1, { authorization: BAD })))
    expect([summary(answer), hasRates(answer), answer.headers.connection]).toEqual([
      "413 request_too_large",
      false,
      "close",
    ])
  })

  it.each([
    ["declared", LIMIT, "200 ok"],
    ["chunked", LIMIT, "200 ok"],
    ["chunked", LIMIT + 1, "413 request_too_large"],
  ])("lets through exactly that much: %s, %i bytes, %s", async (how, bytes, expected) => {
    const answer = await answerTo(async (connection) => {
      if (how === "chunked") return sendChunked(connection, { authorization }, padded(bytes))
      await connection.write(declared(bytes))
      await connection.write(padded(bytes))
    })
    expect(summary(answer)).toBe(expected)
    await expect.poll(() => bodies.used).toBe(0)
  })

  it("beats a bad key; a chunked body of one is counted, and takes no memory", async () => {
    const body = Buffer.alloc(LIMIT + 1, " ")
    const over = await answerTo((connection) => sendChunked(connection, { authorization: BAD }, body))
    expect([summary(over), hasRates(over)]).toEqual(["413 request_too_large", false])

    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const connection = new RawConnection(service.url)
    await sendPieces(connection, { authorization: BAD }, body.subarray(1))
    await sleep(100)
    collectGarbage()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * MIB)
    expect(bodies.used).toBe(0)
    await connection.write("0\r\n\r\n")
    const [exact] = await connection.awaitAnswers()
    expect(exact && [summary(exact), hasRates(exact)]).toEqual(["401 invalid_api_key", false])
    connection.socket.destroy()
  })

  it("holds for a body in pieces of one byte without taking a hundred times its size", async () => {
    const before = process.memoryUsage().rss
    const text = padded(300_000)
    const pieces = Buffer.concat(Array.from(text, (byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])))
    const answer = await answerTo(async (connection) => {
      await connection.write(postHead({ authorization, "transfer-encoding": "chunked" }))
      await connection.write(pieces)
      await connection.write("0\r\n\r\n")
    })
    expect(summary(answer)).toBe("200 ok")
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB)
  })
})

describe("Expect: 100-continue", () => {
  const expecting = (bytes: number, headers: Record<string, string> = {}) =>
    declared(bytes, { expect: "100-continue", ...headers })

  it("over the limit is 413 at once, without 100", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(expecting(LIMIT + 1))
    const answers = await connection.awaitAnswers()
    expect(answers.map(summary)).toEqual(["413 request_too_large"])
    connection.socket.destroy()
  })

  it("under it goes on", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(expecting(TEXT.length))
    expect((await connection.awaitAnswers()).map(summary)).toEqual(["100"])
    await connection.write(TEXT)
    expect((await connection.awaitAnswers(2)).map(summary)).toEqual(["100", "200 ok"])
    connection.socket.destroy()
  })

  it("with a bad key is 401 before anything is sent, and the connection closes", async () => {
    const connection = new RawConnection(service.url)
    await connection.write(expecting(TEXT.length, { authorization: BAD }))
    await connection.closed
    expect(connection.answers().map(summary)).toEqual(["401 invalid_api_key"])
  })

  it("waits for its 100 until there is room", async () => {
    const room = bodies.room()
    await room.take(LIMIT, new AbortController().signal)
    const connection = new RawConnection(service.url)
    await connection.write(expecting(MIB))
    await expect.poll(() => bodies.waiting).toBe(1)
    expect(connection.answers()).toEqual([])
    room.release()
    expect((await connection.awaitAnswers()).map(summary)).toEqual(["100"])
    connection.socket.destroy()
    await expect.poll(() => bodies.used).toBe(0)
  })
})

describe("a body that waits for room", () => {
  const occupy = async (bytes = LIMIT) => {
    const room = bodies.room()
    await room.take(bytes, new AbortController().signal)
    return room
  }

  it("is not read: its client is held up, and answered once there is room", async () => {
    const room = await occupy()
    const connection = new RawConnection(service.url)
    connection.socket.write(declared(LIMIT))
    connection.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting).toBe(1)
    await sleep(300)
    expect(connection.socket.writableLength).toBeGreaterThan(16 * MIB)
    room.release()
    expect((await connection.awaitAnswers()).map(summary)).toEqual(["200 ok"])
    connection.socket.destroy()
    await expect.poll(() => bodies.used).toBe(0)
  })

  it("does not hold up one of 64 KiB, declared or chunked", async () => {
    const room = await occupy()
    const small = padded(65_536)
    const first = await answerTo((connection) =>
      connection.write(Buffer.concat([Buffer.from(declared(65_536)), small])),
    )
    const second = await answerTo((connection) => sendChunked(connection, { authorization }, small))
    expect([summary(first), summary(second)]).toEqual(["200 ok", "200 ok"])
    room.release()
  })

  it("of undeclared length asks for room after 64 KiB, and gives back what it did not need", async () => {
    const room = await occupy(2 * MIB)
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ authorization, "transfer-encoding": "chunked" }))
    await connection.write(Buffer.concat([Buffer.from("10001\r\n"), padded(65_537), Buffer.from("\r\n")]))
    await expect.poll(() => bodies.waiting).toBe(1)
    room.release()
    await expect.poll(() => bodies.used).toBe(LIMIT)
    let goOn = () => {}
    const read = vi.spyOn(service.runtime.reader, "read").mockImplementation(async (body) => {
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      read.mockRestore()
      return service.runtime.reader.read(body)
    })
    await connection.write("0\r\n\r\n")
    await expect.poll(() => bodies.used).toBe(65_537)
    goOn()
    expect((await connection.awaitAnswers()).map(summary)).toEqual(["200 ok"])
    connection.socket.destroy()
    await expect.poll(() => bodies.used).toBe(0)
  })

  it.each(["says goodbye", "breaks off"])("loses its place when its client %s", async (how) => {
    const room = await occupy()
    const connection = new RawConnection(service.url)
    await connection.write(declared(MIB))
    await expect.poll(() => bodies.waiting).toBe(1)
    if (how === "says goodbye") connection.socket.destroy()
    else connection.socket.resetAndDestroy()
    await expect.poll(() => bodies.waiting).toBe(0)
    room.release()
    expect(bodies.used).toBe(0)
  })

  it("of a client that left behind more than we had read holds up nobody when its turn comes", async () => {
    const room = await occupy()
    const gone = new RawConnection(service.url)
    gone.socket.write(declared(LIMIT))
    gone.socket.write(padded(8 * MIB))
    await expect.poll(() => bodies.waiting).toBe(1)
    gone.socket.destroy()
    const next = new RawConnection(service.url)
    next.socket.write(declared(LIMIT))
    next.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting).toBe(2)
    room.release()
    expect((await next.awaitAnswers()).map(summary)).toEqual(["200 ok"])
    next.socket.destroy()
    await expect.poll(() => [bodies.used, bodies.waiting]).toEqual([0, 0])
  })
})

describe("a body that never comes whole", () => {
  it.each([["in the midst of it"], ["before it"]])(
    "frees its room when the client closes %s, and is no 500",
    async (when) => {
      const connection = new RawConnection(service.url)
      await connection.write(declared(MIB))
      if (when === "in the midst of it") await connection.write(padded(MIB / 2))
      await expect.poll(() => bodies.used).toBe(MIB)
      connection.socket.destroy()
      await expect.poll(() => [bodies.used, service.inFlight.count]).toEqual([0, 0])
      expect((await service.decide(authorization.slice(7), TEXT)).status).toBe(200)
    },
  )

  it("never is a deadlock: of 45 uploads through a narrow budget those that stay are answered", async () => {
    const small = padded(6 * MIB)
    const upload = async (i: number) => {
      const connection = new RawConnection(service.url)
      connection.socket.write(declared(small.length))
      connection.socket.write(i % 3 === 0 ? small.subarray(0, 100_000) : small)
      if (i % 3 === 0) return void setTimeout(() => connection.socket.destroy(), 5 * i)
      const [answer] = await connection.awaitAnswers(1, 14_000)
      connection.socket.destroy()
      return answer?.status
    }
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, i) => upload(i)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    await expect.poll(() => [bodies.used, bodies.waiting]).toEqual([0, 0])
  })
})

describe("a client that never reads", () => {
  it("is held up itself, and nobody else", async () => {
    const connection = new RawConnection(service.url)
    connection.socket.pause()
    connection.socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2_000))
    await sleep(500)
    const started = performance.now()
    expect((await service.decide(authorization.slice(7), TEXT)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
    connection.socket.destroy()
    await expect.poll(() => service.inFlight.count).toBe(0)
  })
})
