import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, vi } from "vitest"
import { postHead, type RawAnswer } from "@/test/raw-http"
import { bodies, LIMIT, MIB, padded, SLOWLY, sendChunked, sendPieces, summary, TEXT, uploads } from "@/test/uploads"

vi.setConfig({ testTimeout: 40_000 })

const { service, authorization, connect, declared, occupy, answerTo } = uploads()
const BAD = "Bearer svcd_0000000000000000000000000000000000000etOEM"
const hasRates = ({ headers }: RawAnswer) => "x-ratelimit-limit" in headers

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
      if (how === "chunked") return sendChunked(connection, { authorization: authorization() }, padded(bytes))
      await connection.write(declared(bytes))
      await connection.write(padded(bytes))
    })
    expect(summary(answer)).toBe(expected)
  })

  it("beats a bad key; a chunked body of one is counted, and takes no memory", async () => {
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
    const [exact] = await connection.awaitAnswers()
    expect(exact && [summary(exact), hasRates(exact)]).toEqual(["401 invalid_api_key", false])
  })

  it("holds for a body in pieces of one byte without taking a hundred times its size", async () => {
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
    expect((await connection.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["200 ok"])
    expect(most).toBeLessThan(10 * MIB)
  })
})

describe("Expect: 100-continue", () => {
  const expecting = (bytes: number, headers: Record<string, string> = {}) =>
    declared(bytes, { expect: "100-continue", ...headers })

  it("over the limit is 413 at once, without 100", async () => {
    const connection = connect()
    await connection.write(expecting(LIMIT + 1))
    const answers = await connection.awaitAnswers()
    expect(answers.map(summary)).toEqual(["413 request_too_large"])
  })

  it("under it goes on", async () => {
    const connection = connect()
    await connection.write(expecting(TEXT.length))
    expect((await connection.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["100"])
    await connection.write(TEXT)
    expect((await connection.awaitAnswers(2)).map(summary)).toEqual(["100", "200 ok"])
  })

  it("with a bad key is 401 before anything is sent, and the connection closes", async () => {
    const connection = connect()
    await connection.write(expecting(TEXT.length, { authorization: BAD }))
    await connection.closed
    expect(connection.answers().map(summary)).toEqual(["401 invalid_api_key"])
  })

  it("waits for its 100 until there is room", async () => {
    const room = await occupy()
    const connection = connect()
    await connection.write(expecting(MIB))
    await expect.poll(() => bodies.waiting, SLOWLY).toBe(1)
    expect(connection.answers()).toEqual([])
    room.release()
    expect((await connection.awaitAnswers(1, SLOWLY.timeout)).map(summary)).toEqual(["100"])
  })
})
