import fc from "fast-check"
import { expect, it } from "vitest"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { decisionRequests } from "@/test/decision-requests"
import { insertFastKey } from "@/test/insert-rows"
import { testScale } from "@/test/scale"
import { testService } from "@/test/service"

const AT_ONCE = 50

const service = await testService()
const { token } = await insertFastKey()

/** A request's text, nearly always with a model that exists. Otherwise most requests would fail on the model. */
const wellFormed = fc
  .tuple(decisionRequests, fc.constantFrom(ALIAS, ALIAS, ALIAS, LEXICAL_BASELINE, null))
  .map(([request, model]) => {
    const isObject = typeof request === "object" && request !== null && !Array.isArray(request)
    return JSON.stringify(isObject && model && "model" in request ? { ...request, model } : request)
  })

const TOKENS = [...'"\\{}[],: \n\u0000\ufeff', "\\ud800", "null", "1e999", "-0"]
const PARTS = [
  '"model"',
  '"state":{}',
  '"questions":',
  '"criteria":{"a":null,"a":1}',
  '"__proto__":{}',
  '"type":"score"',
]
const splice = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(60)),
  insert: fc.oneof(fc.constantFrom("", ...TOKENS, ...PARTS), fc.string({ maxLength: 4 })),
})

/** A valid text of which a part was removed, inserted or replaced. */
const mutated = fc.tuple(wellFormed, fc.array(splice, { minLength: 1, maxLength: 3 })).map(([text, splices]) =>
  splices.reduce((result, { at, remove, insert }) => {
    const start = Math.floor(at * result.length)
    return result.slice(0, start) + insert + result.slice(start + remove)
  }, text),
)

const flipped = fc
  .tuple(wellFormed, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 }))
  .map(([text, at, byte]) => {
    const bytes = Buffer.from(text)
    bytes[Math.floor(at * (bytes.length - 1))] = byte
    return new Uint8Array(bytes)
  })

const body = fc.oneof(
  { weight: 4, arbitrary: wellFormed },
  { weight: 3, arbitrary: mutated },
  { weight: 2, arbitrary: flipped },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
)

/** A body, and whether it is sent in chunks of undeclared length. */
const sent = fc.record({ body, isChunked: fc.boolean() })

it(
  "for every body the response is a described status below 500 with its own id",
  async () => {
    const ids = new Set<string>()
    const statuses = new Map<number, number>()
    const send = async (body: string | Uint8Array, isChunked: boolean) => {
      const bytes = new Uint8Array(typeof body === "string" ? Buffer.from(body) : body)
      const init = {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: isChunked ? new Blob([bytes]).stream() : bytes,
        duplex: "half",
      }
      const response = await fetch(`${service.url}/v1/decisions`, init as RequestInit)
      ids.add(response.headers.get("x-request-id") ?? "none")
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expect(response.status).toBeLessThan(500)
      await expectDescribed(response, "/v1/decisions")
    }
    const batch = fc.array(sent, { minLength: AT_ONCE, maxLength: AT_ONCE })
    const runs = 20 * testScale
    await fc.assert(
      fc.asyncProperty(batch, (all) =>
        Promise.all(all.map(({ body, isChunked }) => send(body, isChunked))).then(() => {}),
      ),
      { numRuns: runs, endOnFailure: true },
    )
    expect(ids.size).toBe(runs * AT_ONCE)
    expect(ids).not.toContain("none")
    expect([...statuses.keys()].toSorted()).toEqual([200, 400])
    // Each status must be frequent enough for the test to be meaningful.
    for (const count of statuses.values()) expect(count).toBeGreaterThan((runs * AT_ONCE) / 20)
  },
  60_000 * testScale,
)
