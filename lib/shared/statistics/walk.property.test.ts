import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { testScale } from "@/test/scale"
import { allowedErrors, upperBound } from "./binomial"
import { coverageCurve } from "./coverage"
import { sortForecasts } from "./forecasts"
import { seededRandom } from "./random"
import { sideCurves } from "./sides"
import { type WalkResult, walkCurve } from "./walk"

type Row = readonly [confidence: number, isRight: boolean]
/** Confidences of two decimals, so that ties are common, or of six. */
const confidence = fc.oneof(
  fc.integer({ min: 50, max: 100 }).map((percent) => percent / 100),
  fc.integer({ min: 500_000, max: 1_000_000 }).map((millionths) => millionths / 1e6),
)
const isRight = fc.integer({ min: 0, max: 9 }).map((tenths) => tenths > 0)
const rowList = fc.array(fc.tuple(confidence, isRight), { minLength: 1, maxLength: 150 })
const distinctRows = fc.uniqueArray(fc.tuple(confidence, isRight), {
  minLength: 1,
  maxLength: 150,
  selector: ([value]) => value,
})
const target = fc.constantFrom(0.05, 0.1, 0.2, 0.3)
const options = fc.record({ risk: fc.constantFrom(0.01, 0.025, 0.05, 0.1), fromHalf: fc.boolean() })

const curveOf = (rows: readonly Row[]) =>
  coverageCurve(
    rows.map(([value]) => value),
    rows.map(([, right]) => right),
  )
const decidedBy = (rows: readonly Row[], ...walk: [number, Parameters<typeof walkCurve>[2]]): number => {
  const curve = curveOf(rows)
  const found = walkCurve(curve, ...walk)
  return "at" in found ? (curve[found.at]?.decided ?? 0) : 0
}

test("the errors that are allowed are those whose upper bound is at most the target", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), target, fc.constantFrom(0.05, 0.025, 0.0125), (a, b, share, risk) => {
      const [errors, trials] = [Math.min(a, b), Math.max(a, b, 1)]
      const bound = upperBound(errors, trials, risk)
      fc.pre(Math.abs(bound - share) > 1e-9)
      expect(errors <= (allowedErrors(trials, share, risk)[trials] ?? -1)).toBe(bound <= share)
    }),
  )
})

test.each([
  [0.05, 0.02, [149, 236, 313, 386, 456, 523]],
  [0.05, 0.05, [59, 93, 124, 153, 181, 208]],
  [0.05, 0.1, [29, 46, 61, 76, 89, 103]],
  [0.025, 0.02, [183, 277, 359, 436, 509, 581]],
  [0.025, 0.05, [72, 110, 142, 173, 202, 230]],
  [0.025, 0.1, [36, 54, 70, 85, 100, 114]],
  [0.0125, 0.02, [217, 317, 404, 484, 561, 635]],
  [0.0125, 0.05, [86, 125, 160, 192, 222, 252]],
  [0.0125, 0.1, [42, 62, 79, 94, 110, 124]],
])(
  "at a risk of %d and a target of %d, the first rows that allow 0 to 5 errors are those of the method",
  (risk, share, first) => {
    const allowed = allowedErrors(700, share, risk)
    expect([0, 1, 2, 3, 4, 5].map((errors) => allowed.indexOf(errors))).toEqual(first)
  },
)

describe("a walk", () => {
  test("does not depend on the order of rows, nor on how confidences are spread", () => {
    fc.assert(
      fc.property(
        rowList.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        target,
        options,
        ([rows, shuffled], share, walk) => {
          const spread = shuffled.map(([value, right]): Row => [value ** 3 + 2 * value, right])
          expect(decidedBy(spread, share, walk)).toBe(decidedBy(rows, share, walk))
        },
      ),
    )
  })

  test("never splits equal confidences", () => {
    fc.assert(
      fc.property(rowList, target, options, (rows, share, walk) => {
        const sorted = rows.map(([value]) => value).sort((a, b) => b - a)
        const decided = decidedBy(rows, share, walk)
        if (decided > 0 && decided < rows.length) expect(sorted[decided]).not.toBe(sorted[decided - 1])
      }),
    )
  })

  test("without ties, decides no fewer rows when the target or the risk rises", () => {
    fc.assert(
      fc.property(distinctRows, options, (rows, walk) => {
        const byTarget = [0.05, 0.1, 0.2, 0.4].map((share) => decidedBy(rows, share, walk))
        const byRisk = [0.01, 0.02, 0.05, 0.2].map((risk) => decidedBy(rows, 0.2, { ...walk, risk }))
        for (const counts of [byTarget, byRisk]) expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      }),
    )
  })

  test("passes at every step from a start to its result", () => {
    fc.assert(
      fc.property(rowList, target, options, (rows, share, walk) => {
        const curve = curveOf(rows)
        const found = walkCurve(curve, share, walk)
        if (!("at" in found)) return
        const allowed = allowedErrors(rows.length, share, walk.fromHalf ? walk.risk / 2 : walk.risk)
        const fails = curve.map(({ decided, wrong }) => wrong > (allowed[decided] ?? -1))
        const enough = curve.findIndex(({ decided }) => (allowed[decided] ?? -1) >= 0)
        const half = curve.findIndex(({ decided }) => decided >= Math.ceil(rows.length / 2))
        const starts = walk.fromHalf ? [enough, half] : [enough]
        expect(starts.some((start) => start <= found.at && !fails.slice(start, found.at + 1).includes(true))).toBe(true)
        expect(fails[found.at + 1] ?? true).toBe(true)
      }),
    )
  })

  test("of a target of 1 decides every row, and with fewer rows than any evidence takes it decides none", () => {
    fc.assert(fc.property(rowList, (rows) => void expect(decidedBy(rows, 1, {})).toBe(rows.length)))
    const few = (rows: number): WalkResult =>
      walkCurve(curveOf(Array.from({ length: rows }, (_, at) => [at, true])), 0.05)
    expect(few(58)).toEqual({ fault: "few" })
    expect(few(59)).toEqual({ at: 58 })
  })

  test("from half of the rows passes when only the surest are bad", () => {
    const rows = Array.from({ length: 1_000 }, (_, at): Row => [1 - at / 1_000, at > 20 || at % 2 === 0])
    expect(walkCurve(curveOf(rows), 0.05)).toEqual({ fault: "surest" })
    expect(decidedBy(rows, 0.05, { fromHalf: true })).toBe(1_000)
  })
})

test("swapping the labels and the sides of the probabilities swaps the walks of both sides", () => {
  const probability = fc.integer({ min: 0, max: 63 }).map((part) => (2 * part + 1) / 128)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(probability, fc.boolean()), { minLength: 1, maxLength: 150 }),
      target,
      (rows, share) => {
        const walks = (swap: boolean) => {
          const { yes, no } = sideCurves(
            sortForecasts(
              rows.map(([p]) => (swap ? 1 - p : p)),
              rows.map(([, isYes]) => isYes !== swap),
            ),
          )
          return [yes, no].map((curve) => [curve, walkCurve(curve, share, { risk: 0.025 })])
        }
        expect(walks(true)).toEqual(walks(false).toReversed())
      },
    ),
  )
})

test.each([300, 1_000])(
  "an error just above the target is offered a rule in at most 6.5%% of sets of %d rows",
  (rows) => {
    const { share } = seededRandom(20_261_128 + rows)
    const sets = 2_000 * testScale
    for (const fromHalf of [false, true]) {
      let offered = 0
      for (let set = 0; set < sets; set++) {
        const drawn = Array.from({ length: rows }, (_, at): Row => [1 - at / rows, share() >= 0.1 * 1.001])
        offered += Number("at" in walkCurve(curveOf(drawn), 0.1, { fromHalf }))
      }
      expect(offered / sets).toBeLessThanOrEqual(0.065)
      // A walk that never passes would prove nothing.
      expect(offered).toBeGreaterThan(0)
    }
  },
)
