import { deflateRawSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { MAX_FRAGMENT, readShare, type Shared, writeShare } from "./share-link"

const REQUEST =
  '{"model":"m","state":{"__proto__":"日本 🦉 \\u2028 <script>alert(1)</script>","n":1e400},"questions":{"__proto__":{"type":"noul","instructions":"x"}}}'
const RESPONSE =
  '{"model":"m-1","answers":{"__proto__":{"type":"noul","noul":0.25}},"usage":{"input_tokens":1,"output_tokens":1}}'

const NONE = new Map()
const link = (payload: string | Buffer, version = "v1"): string =>
  `${version}.${deflateRawSync(payload).toString("base64url")}`

describe("a share link", () => {
  test("returns the exact texts it was made from, with and without the response", async () => {
    for (const responseText of [RESPONSE, null]) {
      const fragment = await writeShare({ requestText: REQUEST, responseText, thresholds: NONE })
      expect(fragment).toMatch(/^v1\.[\w-]+$/)
      expect(await readShare(fragment ?? "")).toEqual({
        ok: true,
        shared: { requestText: REQUEST, responseText, thresholds: NONE },
      })
    }
  })

  test("is not made for a text that packs well but that no reader would unpack", async () => {
    const requestText = " ".repeat(5_000_000)
    expect(await writeShare({ requestText, responseText: null, thresholds: NONE })).toBeNull()
  })

  test.each([
    ["nothing", "", "empty"],
    ["a later version", "v3.AAAA", "version"],
    ["another anchor", "content", "damaged"],
    ["characters outside base64url", "v1.<b>", "damaged"],
    ["bytes that are not deflated", "v1.AAAA", "damaged"],
    ["a truncated link", link(JSON.stringify({ request: REQUEST, response: null })).slice(0, -9), "damaged"],
    ["text that is not JSON", link("hello"), "damaged"],
    ["bytes that are not UTF-8", link(Buffer.from([0x22, 0xff, 0x22])), "damaged"],
    ["a repeated name", link('{"request":"a","request":"b","response":null}'), "damaged"],
    ["unknown members", link('{"request":"{}","response":null,"run":true}'), "damaged"],
    ["a request that the API refuses", link('{"request":"{\\"model\\":1}","response":null}'), "not_a_request"],
    ["a request that is not JSON", link('{"request":"<img src=x>","response":null}'), "not_a_request"],
    ["a fragment over the limit", `v1.${"A".repeat(MAX_FRAGMENT)}`, "too_large"],
    ["a few bytes that unpack to sixteen megabytes", link(Buffer.alloc(16_000_000, 0x20)), "too_large"],
  ])("refuses %s", async (_name, fragment, why) => {
    expect(await readShare(fragment)).toEqual({ ok: false, why })
  })

  test("returns the thresholds of its questions, and drops those that fit none of them", async () => {
    const thresholds = new Map([
      ["__proto__", { low: 0.2, high: 0.9, model: "m-1" }],
      ["gone", { confidence: 0.6, model: "m-1" }],
    ])
    const fragment = await writeShare({ requestText: REQUEST, responseText: null, thresholds })
    expect(await readShare(fragment ?? "")).toEqual({
      ok: true,
      shared: {
        requestText: REQUEST,
        responseText: null,
        thresholds: new Map([["__proto__", { low: 0.2, high: 0.9, model: "m-1" }]]),
      },
    })
  })

  test("of version 0.1.0 with thresholds is read", async () => {
    const payload = {
      request: REQUEST,
      response: null,
      thresholds: [["__proto__", { low: 0.2, high: 0.9, model: "m" }]],
    }
    const { shared } = (await readShare(link(JSON.stringify(payload), "v2"))) as { shared: Shared }
    expect([...shared.thresholds]).toEqual([["__proto__", { low: 0.2, high: 0.9, model: "m" }]])
  })

  test("drops thresholds that are not numbers from 0 to 1", async () => {
    const thresholds = [["__proto__", { low: "<b>", high: 2, model: "m-1" }]]
    const payload = JSON.stringify({ request: REQUEST, response: null, thresholds })
    expect(await readShare(link(payload))).toMatchObject({ ok: true, shared: { thresholds: NONE } })
  })

  test("drops a response that is not strict JSON and keeps the request", async () => {
    expect(await readShare(link(JSON.stringify({ request: REQUEST, response: "<b>" })))).toEqual({
      ok: true,
      shared: { requestText: REQUEST, responseText: null, thresholds: NONE },
    })
  })

  test("is not made when it would be too long", async () => {
    const noise = Array.from({ length: 40_000 }, () => Math.random().toString(36)).join("")
    const requestText = JSON.stringify({ ...JSON.parse(REQUEST), state: noise })
    expect(await writeShare({ requestText, responseText: null, thresholds: NONE })).toBe(null)
  })
})
