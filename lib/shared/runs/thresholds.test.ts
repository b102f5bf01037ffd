import { expect, test } from "vitest"
import { acceptanceOf, actionOf, readThresholds, storableThresholds, type Threshold, thresholdsOf } from "./thresholds"

const BAND = { low: 0.3, high: 0.7, model: "m-1" }
const FLOOR = { confidence: 0.6, model: "m-1" }

test("a probability below the band is no, from its end up yes, and review in between", () => {
  expect([0.29, 0.3, 0.69, 0.7].map((yes) => actionOf(yes, BAND))).toEqual(["no", "review", "review", "yes"])
})

test("an answer below the minimum confidence is reviewed, and accepted from it up", () => {
  expect([0.59, 0.6].map((confidence) => acceptanceOf(confidence, { confidence: 0.6 }))).toEqual(["review", "accept"])
})

test("a threshold applies only to a question of its kind", () => {
  const thresholds = new Map<string, Threshold>([
    ["a", BAND],
    ["b", FLOOR],
    ["c", FLOOR],
  ])
  const questions = [
    { name: "c", type: "score" as const },
    { name: "a", type: "choice" as const },
    { name: "b", type: "noul" as const },
    { name: "d", type: "noul" as const },
  ]
  expect(thresholdsOf(questions, thresholds)).toEqual([["c", FLOOR]])
})

test("an action without a threshold never happens, also at 0 and 1", () => {
  const actions = (low: number | null, high: number | null) => [0, 0.5, 1].map((yes) => actionOf(yes, { low, high }))
  expect(actions(null, 0.5)).toEqual(["review", "yes", "yes"])
  expect(actions(0.5, null)).toEqual(["no", "review", "review"])
  expect(actions(null, null)).toEqual(["review", "review", "review"])
  const never = new Map<string, Threshold>([["a", { ...BAND, high: null }]])
  expect(readThresholds(JSON.parse(JSON.stringify(storableThresholds(never))))).toEqual(never)
})

test("stored bands are read again, whatever their question is named", () => {
  const bands = new Map<string, Threshold>([
    ["__proto__", BAND],
    ["team", FLOOR],
  ])
  expect(readThresholds(JSON.parse(JSON.stringify(storableThresholds(bands))))).toEqual(bands)
})

test.each([
  ["null", null],
  ["an object", { a: BAND }],
  ["a band out of order", [["a", { ...BAND, low: 0.8 }]]],
  ["a confidence above 1", [["a", { confidence: 1.1, model: "m-1" }]]],
  ["a band and a confidence in one", [["a", { ...BAND, confidence: 0.5 }]]],
  ["a model with other characters", [["a", { ...BAND, model: "<b>" }]]],
])("%s reads as no bands", (_name, stored) => {
  expect(readThresholds(stored)).toEqual(new Map())
})

test("only the 300 bands that changed last are stored", () => {
  const bands = new Map(Array.from({ length: 301 }, (_, i) => [`q${i}`, BAND]))
  expect(storableThresholds(bands)).toHaveLength(300)
  expect(storableThresholds(bands)[0]?.[0]).toBe("q1")
})
