import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, vi } from "vitest"
import { insertFastKey } from "@/test/insert-rows"
import { postHead, type RawResponse } from "@/test/raw-http"
import { bodies, LIMIT, MIB, padded, SLOWLY, sendChunked, sendPieces, summary, TEXT, uploads } from "@/test/uploads"

const { service, authorization, connect, declared, occupy, answerTo } = uploads()
const BAD = "Bearer svcd_0000000000000000000000000000000000000etOEM"
const hasRates = ({ headers }: RawResponse) => "x-ratelimit-limit" in headers

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

describe("the limit of 29,360,128 bytes", () => {
  it("refuses a declared length over it before the key is checked and before the body is sent", async () => {
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
  ])("accepts exactly that many bytes: %s, %i bytes, %s", async (how, bytes, expected) => {
    const answer = await answerTo(async (connection) => {
      if (how === "chunked") return sendChunked(connection, { authorization: authorization() }, padded(bytes))
      await connection.write(declared(bytes))
      await connection.write(padded(bytes))
    })
    expect(summary(answer)).toBe(expected)
  })

  it("precedes a bad key, whose chunked body is counted and takes no memory", async () => {
    const body = Buffer.alloc(LIMIT + 1, " ")
    const over = await answerTo((connection) => sendChunked(connection, { authorization: BAD }, body))
    expect([summary(over), hasRates(over)]).toEqual(["413 request_too_large", false])

    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const connection = connect()
    await sendPieces(connection, { authorization: BAD }, body.subarray(1))
    const taken = () => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers - before
    }
    await expect.poll(taken, { ...SLOWLY, interval: 100 }).toBeLessThan(10 * MIB)
    expect(bodies.used).toBe(0)
    await connection.write("0\r\n\r\n")
    const [exact] = await connection.awaitResponses()
    expect(exact && [summary(exact), hasRates(exact)]).toEqual(["401 invalid_api_key", false])
  })

  it("reads a body in one-byte chunks without taking many times its size", async () => {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    const text = padded(300_000)
    const pieces = Buffer.concat(Array.from(text, (byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])))
    collectGarbage()
    const before = used()
    const connection = connect()
    await connection.write(postHead({ authorization: authorization(), "transfer-encoding": "chunked" }))
    await connection.write(pieces)
    let most = 0
    const read = vi.spyOn(service().runtime.reader, "read").mockImplementation((body) => {
      collectGarbage()
      most = used() - before
      read.mockRestore()
      return service().runtime.reader.read(body)
    })
    await connection.write("0\r\n\r\n")
    expect((await connection.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
    expect(most).toBeLessThan(10 * MIB)
  })
})

describe("Expect: 100-continue", () => {
  const expecting = (bytes: number, headers: Record<string, string> = {}) =>
    declared(bytes, { expect: "100-continue", ...headers })

  it("over the limit is 413 at once, without 100", async () => {
    const connection = connect()
    await connection.write(expecting(LIMIT + 1))
    const answers = await connection.awaitResponses()
    expect(answers.map(summary)).toEqual(["413 request_too_large"])
  })

  it("under it gets 100, then the response", async () => {
    const connection = connect()
    await connection.write(expecting(TEXT.length))
    expect((await connection.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["100"])
    await connection.write(TEXT)
    expect((await connection.awaitResponses(2)).map(summary)).toEqual(["100", "200 ok"])
  })

  it("with a bad key is 401 before the body is sent, and the connection closes", async () => {
    const connection = connect()
    await connection.write(expecting(TEXT.length, { authorization: BAD }))
    await connection.closed
    expect(connection.responses().map(summary)).toEqual(["401 invalid_api_key"])
  })

  it("gets its 100 at once, because what is only announced takes no room, and waits after 64 KiB", async () => {
    const reservation = await occupy()
    const connection = connect()
    await connection.write(expecting(MIB))
    expect((await connection.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["100"])
    expect(bodies.waiting).toBe(0)
    connection.socket.write(padded(MIB))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    reservation.release()
    expect((await connection.awaitResponses(2, SLOWLY.timeout)).map(summary)).toEqual(["100", "200 ok"])
  })
})

describe("a body that waits for room", () => {
  it("is not read, so its client waits, and is answered once there is room", async () => {
    const reservation = await occupy()
    const connection = connect()
    connection.socket.write(declared(LIMIT))
    connection.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    await sleep(300)
    expect(connection.socket.writableLength).toBeGreaterThan(16 * MIB)
    reservation.release()
    expect((await connection.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })

  it("does not delay a body of 64 KiB, declared or chunked", async () => {
    const reservation = await occupy()
    const small = padded(65_536)
    const first = await answerTo((connection) =>
      connection.write(Buffer.concat([Buffer.from(declared(65_536)), small])),
    )
    const second = await answerTo((connection) => sendChunked(connection, { authorization: authorization() }, small))
    expect([summary(first), summary(second)]).toEqual(["200 ok", "200 ok"])
    reservation.release()
  })

  it("of undeclared length takes room after 64 KiB, and releases what it did not need", async () => {
    const reservation = await occupy(2 * MIB)
    const connection = connect()
    await connection.write(postHead({ authorization: authorization(), "transfer-encoding": "chunked" }))
    await connection.write(Buffer.concat([Buffer.from("10001\r\n"), padded(65_537), Buffer.from("\r\n")]))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    reservation.release()
    await expect.poll(() => bodies.used, SLOWLY).toBe(LIMIT)
    let finishReading = () => {}
    const read = vi.spyOn(service().runtime.reader, "read").mockImplementation(async (body) => {
      await new Promise<void>((resolve) => {
        finishReading = resolve
      })
      read.mockRestore()
      return service().runtime.reader.read(body)
    })
    await connection.write("0\r\n\r\n")
    await expect.poll(() => bodies.used, SLOWLY).toBe(65_537)
    finishReading()
    expect((await connection.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })

  it.each(["closes", "resets"])("loses its place when its client %s the connection", async (how) => {
    const reservation = await occupy()
    const connection = connect()
    await connection.write(declared(MIB))
    await connection.write(padded(65_537))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    if (how === "closes") connection.socket.destroy()
    else connection.socket.resetAndDestroy()
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(0)
    reservation.release()
    expect(bodies.used).toBe(0)
  })

  it("of a client that left with unread data does not delay the next body", async () => {
    const reservation = await occupy()
    const gone = connect()
    gone.socket.write(declared(LIMIT))
    gone.socket.write(padded(8 * MIB))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    gone.socket.destroy()
    const next = connect()
    next.socket.write(declared(LIMIT))
    next.socket.write(padded(LIMIT))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(2)
    reservation.release()
    expect((await next.awaitResponses(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
  })
})

describe("a body that never arrives completely", () => {
  it.each([65_537, MIB / 2])(
    "releases its room when the client closes after %i bytes, and is not a 500",
    async (bytes) => {
      const connection = connect()
      await connection.write(declared(MIB))
      await connection.write(padded(bytes))
      await expect.poll(() => bodies.used, SLOWLY).toBe(MIB)
      connection.socket.destroy()
      await expect.poll(() => [bodies.used, service().inFlight.count], SLOWLY).toEqual([0, 0])
      expect((await service().decide(authorization().slice(7), TEXT)).status).toBe(200)
    },
  )

  it("never deadlocks: of 45 uploads through a small budget, those that stay are answered", async () => {
    const small = padded(6 * MIB)
    const upload = async (i: number) => {
      const connection = connect()
      connection.socket.write(declared(small.length))
      connection.socket.write(i % 3 === 0 ? small.subarray(0, 100_000) : small)
      if (i % 3 === 0) return void setTimeout(() => connection.socket.destroy(), 5 * i)
      const [answer] = await connection.awaitResponses(1, SLOWLY.timeout)
      connection.socket.destroy()
      return answer?.status
    }
    const statuses = await Promise.all(Array.from({ length: 45 }, (_, i) => upload(i)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    await expect.poll(() => [bodies.used, bodies.waiting], SLOWLY).toEqual([0, 0])
  })
})

describe("a body that arrives slowly", () => {
  it.each([1, 65_536])("takes no room with its first %i bytes", async (bytes) => {
    const connection = connect()
    await connection.write(declared(LIMIT))
    await connection.write(Buffer.alloc(bytes, " "))
    const { token } = await insertFastKey()
    expect((await service().decide(token, padded(LIMIT))).status).toBe(200)
    expect(connection.responses()).toEqual([])
  })

  it("is 429 after 5 s once another waits for its room", async () => {
    const connection = connect()
    await connection.write(postHead({ authorization: authorization(), "transfer-encoding": "chunked" }))
    await connection.write("20000\r\n")
    await connection.write(padded(70_000))
    await expect.poll(() => bodies.used, SLOWLY).toBe(LIMIT)
    const { token } = await insertFastKey()
    expect((await service().decide(token, padded(LIMIT))).status).toBe(200)
    const [answer] = await connection.awaitResponses()
    expect(answer && [summary(answer), answer.headers["retry-after"]]).toEqual(["429 rate_limited", "1"])
  })
})

describe("a client that never reads", () => {
  it("delays nobody else", async () => {
    const connection = connect()
    connection.socket.pause()
    connection.socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2_000))
    await sleep(500)
    const started = performance.now()
    expect((await service().decide(authorization().slice(7), TEXT)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
    connection.socket.destroy()
    await expect.poll(() => service().inFlight.count, SLOWLY).toBe(0)
  })
})
