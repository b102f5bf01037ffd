import { expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { type PreparedAnswer, prepareAnswer, TYPE_NAMES } from "@/questions/question-types"
import {
  acceptanceOf,
  actionOf,
  comparedBy,
  isMinimum,
  readThresholds,
  storableThresholds,
  type Threshold,
  thresholdsOf,
  withFrom,
} from "./thresholds"

const BAND = { low: 0.3, high: 0.7, model: "m-1" }
const FLOOR = { confidence: 0.6, model: "m-1" }

test("a probability below the band is no, from its end up yes, and review in between", () => {
  expect([0.29, 0.3, 0.69, 0.7].map((yes) => actionOf(yes, BAND))).toEqual(["no", "review", "review", "yes"])
})

test("an answer below the minimum confidence is reviewed, and accepted from it up", () => {
  expect([0.59, 0.6].map((confidence) => acceptanceOf(confidence, 0.6))).toEqual(["review", "accept"])
})

const OPTIONS: Threshold = {
  options: [
    ["billing", 0.8],
    ["__proto__", null],
  ],
  model: "m-1",
}
const PROBABILITY: Threshold = { probability: 0.8, model: "m-1" }
const WITHIN: Threshold = { within: 0.97, model: "m-1" }

const answered = (question: object, answer: object) => {
  const body = { model: "m", state: "s", questions: { q: question } }
  const checked = checkRequest(new TextEncoder().encode(JSON.stringify(body)))
  if (!checked.ok || !checked.request.questions[0]) throw new Error("the question is invalid")
  return prepareAnswer(checked.request.questions[0], answer)
}
const team = (choice: "billing" | "other") =>
  answered(
    { type: "choice", criteria: { billing: "Invoice", other: "Rest" } },
    {
      type: "choice",
      choice,
      confidence: 0.4,
      probabilities: choice === "billing" ? { billing: 0.7, other: 0.3 } : { billing: 0.3, other: 0.7 },
    },
  )
const anger = answered(
  { type: "score", criteria: ["a", "b", "c", "d"] },
  // 0.1 · 0 + 0.2 · 1 + 0.6 · 2 + 0.1 · 3
  { type: "score", score: 1.7, confidence: 0.5, legend: {}, probabilities: { 0: 0.1, 1: 0.2, 2: 0.6, 3: 0.1 } },
)

test("a choice is compared with one threshold or that of its option, and a score with the levels next to it", () => {
  const compare = (answer: PreparedAnswer, threshold: Threshold) =>
    isMinimum(threshold) ? comparedBy(answer, threshold) : null
  expect(compare(team("billing"), OPTIONS)).toMatchObject({ share: { value: 0.7 }, from: 0.8 })
  expect(compare(team("other"), OPTIONS)).toMatchObject({ share: { value: 0.7 }, from: null })
  // The confidence of 0.4 is another number.
  expect(compare(team("other"), PROBABILITY)).toMatchObject({ label: "Probability", share: { value: 0.7 }, from: 0.8 })
  expect(compare(anger, WITHIN)).toMatchObject({ from: 0.97 })
  expect(compare(anger, WITHIN)?.share.value).toBeCloseTo(0.9, 12)
  expect(compare(anger, { confidence: 0.6, model: "m-1" })).toMatchObject({ share: { value: 0.5 }, from: 0.6 })
  for (const ofChoice of [OPTIONS, PROBABILITY]) expect(compare(anger, ofChoice)).toBeNull()
  expect(compare(team("billing"), WITHIN)).toBeNull()
})

test("changing the threshold of one option leaves those of the others", () => {
  if (!isMinimum(OPTIONS)) throw new Error("unreachable")
  expect(withFrom(team("billing"), OPTIONS, 0.65)).toEqual({
    options: [
      ["billing", 0.65],
      ["__proto__", null],
    ],
    model: "m-1",
  })
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
  const typesOf = (threshold: Threshold) =>
    TYPE_NAMES.filter((type) => thresholdsOf([{ name: "q", type }], new Map([["q", threshold]])).length > 0)
  expect([BAND, FLOOR, PROBABILITY, OPTIONS, WITHIN].map(typesOf)).toEqual([
    ["noul"],
    ["choice", "score"],
    ["choice"],
    ["choice"],
    ["score"],
  ])
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
    ["topic", OPTIONS],
    ["product", PROBABILITY],
    ["anger", WITHIN],
  ])
  expect(readThresholds(JSON.parse(JSON.stringify(storableThresholds(bands))))).toEqual(bands)
})

test.each([
  ["null", null],
  ["an object", { a: BAND }],
  ["a band out of order", [["a", { ...BAND, low: 0.8 }]]],
  ["a confidence above 1", [["a", { confidence: 1.1, model: "m-1" }]]],
  ["a probability above 1", [["a", { probability: 1.1, model: "m-1" }]]],
  ["a band and a confidence in one", [["a", { ...BAND, confidence: 0.5 }]]],
  ["a probability above 1 for an option", [["a", { options: [["b", 1.1]], model: "m-1" }]]],
  ["options that are no list", [["a", { options: { b: 1 }, model: "m-1" }]]],
  ["an unknown member", [["a", { within: 0.5, model: "m-1", high: 1 }]]],
  ["a model with other characters", [["a", { ...BAND, model: "<b>" }]]],
])("%s reads as no bands", (_name, stored) => {
  expect(readThresholds(stored)).toEqual(new Map())
})

test("only the 300 bands that changed last are stored", () => {
  const bands = new Map(Array.from({ length: 301 }, (_, i) => [`q${i}`, BAND]))
  expect(storableThresholds(bands)).toHaveLength(300)
  expect(storableThresholds(bands)[0]?.[0]).toBe("q1")
})
