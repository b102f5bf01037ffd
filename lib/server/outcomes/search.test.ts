import { expect, test } from "vitest"
import { outcomesHref, parseOutcomesSearch } from "./search"

const AT_5 = { targetAbove: 0.05, targetBelow: 0.05 }
const NOUL = { question: "late & lost", type: "noul", model: "m" }

test("an empty address asks for 30 days, no question, no thresholds and a target of 5%", () => {
  expect(parseOutcomesSearch({})).toEqual({
    range: { days: 30 },
    chosen: null,
    rule: { from: null, below: null, targetAbove: 0.05, targetBelow: 0.05 },
  })
})

test("an address keeps the question, the thresholds, the target and the range", () => {
  const search = parseOutcomesSearch({ ...NOUL, yes: "0.9", no: "0.1", wrong: "2.5", wrong_no: "1", days: "7" })
  expect(search).toEqual({
    range: { days: 7 },
    chosen: NOUL,
    rule: { from: 0.9, below: 0.1, targetAbove: 0.025, targetBelow: 0.01 },
  })
  const href = outcomesHref(search)
  expect(href).toBe("/outcomes?days=7&question=late+%26+lost&type=noul&model=m&yes=0.9&no=0.1&wrong=2.5&wrong_no=1")
  expect(parseOutcomesSearch(Object.fromEntries(new URL(href, "http://x").searchParams))).toEqual(search)
})

test.each([
  [
    { yes: "1.1", no: "-1", wrong: "0" },
    { from: null, below: null, ...AT_5 },
  ],
  [
    { yes: "", no: " ", wrong: "x" },
    { from: null, below: null, ...AT_5 },
  ],
  [
    { yes: "0", no: "" },
    { from: 0, below: null, ...AT_5 },
  ],
  [
    { yes: "0.4", no: "0.6" },
    { from: 0.4, below: null, ...AT_5 },
  ],
  [
    { type: "score", yes: "0.9", no: "0.1" },
    { from: 0.9, below: null, ...AT_5 },
  ],
])("thresholds that cannot be are left out: %j", (given, rule) => {
  expect(parseOutcomesSearch({ ...NOUL, ...given }).rule).toEqual(rule)
})

test("a question without its type or model is not chosen", () => {
  expect(parseOutcomesSearch({ question: "late", type: "noul" }).chosen).toBeNull()
})
