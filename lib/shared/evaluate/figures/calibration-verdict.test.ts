import { expect, test } from "vitest"
import { sortForecasts } from "@/lib/shared/statistics/forecasts"
import { calibrationVerdict } from "./calibration-verdict"

type Rows = [count: number, probability: number, yes: number]

/** Judges rows of some probabilities. `yes` of `count` rows with a probability are labelled yes. */
function verdictOf(...groups: Rows[]) {
  const rows = groups.flatMap(([count, probability, yes]) =>
    Array.from({ length: count }, (_, at) => ({ probability, isYes: at < yes })),
  )
  const forecasts = sortForecasts(
    Float64Array.from(rows, ({ probability }) => probability),
    Uint8Array.from(rows, ({ isYes }) => Number(isYes)),
  )
  return calibrationVerdict({ forecasts, event: "yes is true", axis: "the probability of yes" })
}

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
