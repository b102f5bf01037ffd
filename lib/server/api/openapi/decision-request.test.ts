import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { componentSchema } from "@/test/contract"
import { decisionRequests, type Json } from "@/test/decision-requests"
import { testScale } from "@/test/scale"

const validate = componentSchema("DecisionRequest")
const bySchema = (text: string): boolean => validate(JSON.parse(text)) as boolean
const byCheck = (text: string): boolean => checkRequest(new TextEncoder().encode(text)).ok

/** A request of one question, or of this many. */
const request = (question: Json, count = 1): string => {
  const questions = Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, question]))
  return JSON.stringify({ model: "m", state: "s", questions })
}
const noul: Json = { type: "noul", instructions: "Is it?" }
const options = (count: number): Json => Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, null]))
const levels = (count: number): Json => Array.from({ length: count }, (_, i) => `l${i}`)

describe("the schema of a request agrees with checkRequest", () => {
  it("for generated requests, right and wrong", () => {
    const verdicts = { true: 0, false: 0 }
    fc.assert(
      fc.property(decisionRequests, (value) => {
        const text = JSON.stringify(value)
        const verdict = byCheck(text)
        verdicts[`${verdict}`]++
        expect({ text, valid: bySchema(text) }).toEqual({ text, valid: verdict })
      }),
      { numRuns: 4_000 * testScale },
    )
    expect(verdicts.true).toBeGreaterThan(800)
    expect(verdicts.false).toBeGreaterThan(800)
  })

  it.each([
    ["128 questions", true, request(noul, 128)],
    ["129 questions", false, request(noul, 129)],
    ["255 options", true, request({ type: "choice", criteria: options(255) })],
    ["256 options", false, request({ type: "choice", criteria: options(256) })],
    ["10 levels", true, request({ type: "score", criteria: levels(10) })],
    ["11 levels", false, request({ type: "score", criteria: levels(11) })],
    [
      "a noul of null instructions and empty criteria",
      true,
      request({ type: "noul", instructions: null, criteria: {} }),
    ],
    ["a noul of null instructions", false, request({ type: "noul", instructions: null })],
    ["a noul with null criteria", false, request({ type: "noul", instructions: "i", criteria: null })],
    ["a level that is null", false, request({ type: "score", criteria: ["l", null] })],
  ])("for %s", (_what, verdict, text) => {
    expect([byCheck(text), bySchema(text)]).toEqual([verdict, verdict])
  })
})

// JSON Schema sees values, not their text. Only checkRequest can refuse these.
describe("checkRequest alone refuses", () => {
  const around = (state: string) =>
    `{"model":"m","state":${state},"questions":{"q":{"type":"noul","instructions":"i"}}}`
  it.each([
    ["a name twice", around('{"a":1,"a":2}')],
    ["half of a surrogate pair", around('"\\ud83d"')],
    ["more than 512 levels", around(`${"[".repeat(512)}1${"]".repeat(512)}`)],
  ])("%s", (_what, text) => {
    expect([byCheck(text), bySchema(text)]).toEqual([false, true])
  })

  it("and both accept a number beyond every double", () => {
    expect([byCheck(around("[1e400]")), bySchema(around("[1e400]"))]).toEqual([true, true])
  })
})
