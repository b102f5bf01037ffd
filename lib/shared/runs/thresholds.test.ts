import { expect, test } from "vitest"
import { actionOf, readBands, storableBands } from "./thresholds"

const BAND = { low: 0.3, high: 0.7, model: "m-1" }

test("a probability below the band is no, from its end up yes, and review in between", () => {
  expect([0.29, 0.3, 0.69, 0.7].map((yes) => actionOf(yes, BAND))).toEqual(["no", "review", "review", "yes"])
})

test("stored bands are read again, whatever their question is named", () => {
  const bands = new Map([["__proto__", BAND]])
  expect(readBands(JSON.parse(JSON.stringify(storableBands(bands))))).toEqual(bands)
})

test.each([
  ["null", null],
  ["an object", { a: BAND }],
  ["a band out of order", [["a", { ...BAND, low: 0.8 }]]],
  ["a model with other characters", [["a", { ...BAND, model: "<b>" }]]],
])("%s reads as no bands", (_name, stored) => {
  expect(readBands(stored)).toEqual(new Map())
})

test("only the 300 bands that changed last are stored", () => {
  const bands = new Map(Array.from({ length: 301 }, (_, i) => [`q${i}`, BAND]))
  expect(storableBands(bands)).toHaveLength(300)
  expect(storableBands(bands)[0]?.[0]).toBe("q1")
})
