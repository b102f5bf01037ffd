import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { ENCODERS } from "@/test/encode-body"
import { uploads } from "@/test/uploads"

const LIMIT = 29_360_128
const { service, authorization } = uploads()

/** A request with a text that compresses to about three quarters, padded with white space to this many bytes. */
function padded(bytes: number): Buffer {
  const state = randomBytes(180_000).toString("base64")
  const request = { model: ALIAS, state, questions: { q: { type: "noul", instructions: "Is it?" } } }
  const body = Buffer.from(JSON.stringify(request))
  return Buffer.concat([body, Buffer.alloc(bytes - body.length, " ")])
}

it.each(Object.entries(ENCODERS))(
  "a body with Content-Encoding: %s may decode to exactly 29,360,128 bytes, and one more is the 413 of a key that was accepted",
  async (coding, encode) => {
    const send = (body: Buffer) =>
      service().decide(authorization().slice(7), encode(body), { "content-encoding": coding })
    expect((await send(padded(LIMIT))).status).toBe(200)
    const refused = await send(padded(LIMIT + 1))
    expect([refused.status, refused.headers.has("x-ratelimit-limit")]).toEqual([413, true])
    expect(await refused.json()).toMatchObject({ error: { code: "request_too_large", param: "body" } })
  },
)
