import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { ENCODERS, encodeRaw } from "@/test/encode-body"
import { insertPayer } from "@/test/insert-rows"
import { sendChunked, summary, uploads } from "@/test/uploads"

const LIMIT = 29_360_128
const { service, authorization, connect, declared, answerTo } = uploads()
const BAD = "svcd_0000000000000000000000000000000000000etOEM"

const question = { q: { type: "noul", instructions: "Is it?" } }
const request = (state: string) => Buffer.from(JSON.stringify({ model: ALIAS, state, questions: question }))
/** A request whose text compresses to about three quarters, padded with white space to this many bytes. */
const mixed = (text: number, bytes = 0) => {
  const body = request(randomBytes(text).toString("base64"))
  return Buffer.concat([body, Buffer.alloc(Math.max(0, bytes - body.length), " ")])
}
const SMALL = request("a parcel ".repeat(400))
const codings = Object.entries(ENCODERS)

const send = async (body: Buffer, headers: Record<string, string>, token = authorization().slice(7)) => {
  const response = await service().decide(token, body, headers)
  const { error } = (await response.json()) as { error?: { code: string; param?: string; message: string } }
  return {
    status: response.status,
    error: error && [error.code, error.param],
    message: error?.message,
    hasRates: response.headers.has("x-ratelimit-limit"),
  }
}
const TOO_LARGE = { status: 413, error: ["request_too_large", "body"], hasRates: true }

describe.each(codings)("a body with Content-Encoding: %s", (coding, encode) => {
  const headers = { "content-encoding": coding }

  it("is answered as the plain body is, small, large and chunked", async () => {
    for (const body of [SMALL, mixed(30_000), mixed(150_000, 3_000_000)]) {
      expect((await send(encode(body), headers)).status).toBe(200)
      const chunked = await answerTo((connection) =>
        sendChunked(connection, { ...headers, authorization: authorization() }, encode(body)),
      )
      expect(summary(chunked)).toBe("200 ok")
    }
  })

  it("is 413 when more than 1 MiB decodes to over 200 times its encoded length", async () => {
    expect((await send(encode(mixed(2_000, 1_000_000)), headers)).status).toBe(200)
    expect(await send(encode(request(" ".repeat(8_000_000))), headers)).toMatchObject(TOO_LARGE)
  })

  it("is 400 when its bytes are not of this coding", async () => {
    const refused = await send(SMALL, headers)
    expect(refused).toMatchObject({ status: 400, error: ["invalid_request", "body"], hasRates: true })
    expect(refused.message).toBe(`The body is not valid ${coding}.`)
    expect((await send(encode(SMALL).subarray(0, -20), headers)).status).toBe(400)
  })

  it("is not decoded for a bad key", async () => {
    expect(await send(encode(request(" ".repeat(8_000_000))), headers, BAD)).toMatchObject({
      status: 401,
      hasRates: false,
    })
  })
})

it("an encoded length over the limit is 413 before the key is checked", async () => {
  const answer = await answerTo((connection) =>
    connection.write(declared(LIMIT + 1, { authorization: `Bearer ${BAD}`, "content-encoding": "zstd" })),
  )
  expect([summary(answer), "x-ratelimit-limit" in answer.headers]).toEqual(["413 request_too_large", false])
})

it("deflate may come without its wrapper, and codings in capital letters", async () => {
  expect((await send(encodeRaw(SMALL), { "content-encoding": "deflate" })).status).toBe(200)
  expect((await send(ENCODERS.gzip(SMALL), { "content-encoding": "GZIP" })).status).toBe(200)
})

it.each(["gzip, gzip", "identity, gzip", "x-gzip", "compress", "aes128gcm"])(
  "Content-Encoding: %s is 400 with the list of those that are decoded",
  async (coding) => {
    const refused = await send(ENCODERS.gzip(SMALL), { "content-encoding": coding })
    expect(refused).toMatchObject({ status: 400, error: ["invalid_request", "body"], hasRates: true })
    expect(refused.message).toBe("Send the body without a Content-Encoding, or with one of zstd, gzip, deflate, br.")
  },
)

it("multipart is refused with a text of its own", async () => {
  const type = "multipart/form-data; boundary=x"
  for (const coding of ["", "zstd"])
    expect(await send(SMALL, { "content-type": type, "content-encoding": coding })).toMatchObject({
      status: 400,
      error: ["invalid_request", "body"],
      message: "Multipart bodies are not supported. Send application/json.",
    })
})

it("a zstd body that declares a wrong size or several frames is decoded by its content", async () => {
  const [half, rest] = [SMALL.subarray(0, 1_000), SMALL.subarray(1_000)]
  const frames = Buffer.concat([ENCODERS.zstd(half), ENCODERS.zstd(rest)])
  expect((await send(frames, { "content-encoding": "zstd" })).status).toBe(200)
  // The content size of 2^60 bytes in an 8-byte field.
  const lying = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, 1, 0, 0])
  expect((await send(lying, { "content-encoding": "zstd" })).status).toBe(400)
})

it("an Idempotency-Key covers the decoded bytes", async () => {
  const { token } = await insertPayer()
  const headers = { "idempotency-key": "one" }
  const first = await service().decide(token, SMALL, headers)
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null])
  for (const [coding, encode] of codings) {
    const again = await service().decide(token, encode(SMALL), { ...headers, "content-encoding": coding })
    expect([coding, again.status, again.headers.get("idempotent-replayed")]).toEqual([coding, 200, "true"])
  }
})

it("a client that leaves while its body is decoded releases its memory", async () => {
  const body = ENCODERS.zstd(mixed(180_000, LIMIT))
  const connection = connect()
  await connection.write(declared(body.length, { "content-encoding": "zstd" }))
  connection.socket.write(body)
  connection.socket.destroy()
  await expect.poll(() => service().inFlight.bodies.used, { timeout: 30_000 }).toBe(0)
})
