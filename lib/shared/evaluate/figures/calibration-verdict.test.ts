import { expect, test } from "vitest"
import { sortForecasts } from "@/lib/shared/statistics/forecasts"
import { calibrationVerdict, endsText } from "./calibration-verdict"

type Rows = [count: number, probability: number, yes: number]

/** Returns rows of some probabilities. `yes` of `count` rows with a probability are labelled yes. */
function calibratedOf(...groups: Rows[]) {
  const rows = groups.flatMap(([count, probability, yes]) =>
    Array.from({ length: count }, (_, at) => ({ probability, isYes: at < yes })),
  )
  const forecasts = sortForecasts(
    Float64Array.from(rows, ({ probability }) => probability),
    Uint8Array.from(rows, ({ isYes }) => Number(isYes)),
  )
  return { forecasts, event: "yes is true", axis: "the probability of yes" }
}

const verdictOf = (...groups: Rows[]) => calibrationVerdict(calibratedOf(...groups))

test("a certain model that makes no mistake is calibrated", () => {
  expect(verdictOf([300, 0, 0], [300, 1, 300])).toMatchObject({ kind: "fits" })
  expect(verdictOf([400, 0.001, 0], [400, 0.999, 400])).toEqual({
    kind: "fits",
    text: "Calibrated as far as these rows show: the difference of about 0.1% is too small to matter (Cox’s likelihood ratio test, p = 0.449).",
  })
})

test.each<[string, Rows[], string]>([
  [
    "separates the labels but is unsure",
    [
      [400, 0.3, 0],
      [400, 0.7, 400],
    ],
    "They are too far from 0 and 1",
  ],
  [
    "points the wrong way",
    [
      [400, 0.3, 400],
      [400, 0.7, 0],
    ],
    "They point the wrong way",
  ],
  [
    "is unsure of rows that are all yes",
    [
      [200, 0.8, 200],
      [200, 0.9, 200],
    ],
    "They are too low.",
  ],
  [
    "is unsure of rows that are all no",
    [
      [200, 0.1, 0],
      [200, 0.2, 0],
    ],
    "They are too high.",
  ],
  [
    "is too sure",
    [
      [400, 0.1, 120],
      [400, 0.9, 280],
    ],
    "They are too close to 0 and 1.",
  ],
  [
    "is not sure enough",
    [
      [400, 0.3, 40],
      [400, 0.7, 360],
    ],
    "They are too far from 0 and 1.",
  ],
  [
    "says yes too rarely",
    [
      [400, 0.3, 160],
      [400, 0.7, 316],
    ],
    "They are too low.",
  ],
  [
    "says yes too often",
    [
      [400, 0.3, 84],
      [400, 0.7, 240],
    ],
    "They are too high.",
  ],
])("a model that %s is not calibrated", (_, groups, direction) => {
  const { kind, text } = verdictOf(...groups)
  expect(kind).toBe("off")
  expect(text).toContain(direction)
  expect(text).toContain("A claim about a threshold holds all the same")
})

test("few rows cannot tell, also when the model makes no mistake", () => {
  expect(verdictOf([1, 0.1, 0], [1, 0.9, 1])).toMatchObject({ kind: "unclear" })
  expect(verdictOf([49, 0, 0], [50, 1, 50])).toMatchObject({ kind: "unclear" })
  expect(verdictOf([50, 0.4, 20], [50, 0.6, 30])).toMatchObject({ kind: "unclear" })
  expect(verdictOf([200, 0.5, 100])).toMatchObject({ kind: "unclear" })
})

test("rows that differ by much, but by no shift or slope, cannot tell", () => {
  const { kind, text } = verdictOf([400, 0.1, 40], [100, 0.4, 60], [100, 0.6, 40], [400, 0.9, 360])
  expect(kind).toBe("unclear")
  expect(text).toBe(
    "These rows cannot tell whether the probabilities are calibrated: they differ by about 8.6%, but not by a shift or a slope that the test sees (Cox’s likelihood ratio test, p = 0.697).",
  )
})

test("rows at exactly 0 and 1 are counted with their mistakes", () => {
  expect(endsText(calibratedOf([10, 0, 1], [20, 1, 17], [5, 0.5, 2]))).toBe(
    "Exactly 0: 10 rows, 1 of them wrong. Exactly 1: 20 rows, 3 wrong. The test moves them to 0.000001 and 0.999999, which changes the line.",
  )
  expect(endsText(calibratedOf([5, 0.000001, 0], [5, 0.999999, 5]))).toBeNull()
})
