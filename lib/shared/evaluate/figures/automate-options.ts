import { RISK, upperBound } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, coverageCurve, thresholdAt } from "@/lib/shared/statistics/coverage"
import { chanceToPass } from "@/lib/shared/statistics/pilot"
import { walkCurve } from "@/lib/shared/statistics/walk"
import { type Claim, type Found, type OptionClaim, type RuleCounts, rowsNeeded } from "./automation"
import { topConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"

/** The rows that the model answers with an option, as a curve. */
export interface OptionCurve {
  option: string
  curve: CoveragePoint[]
}

/** Returns a curve per option. Rows are grouped once: a set may have 20,000 rows and 200 options. */
export function optionCurves(answered: Answered): OptionCurve[] {
  const { answers, confidences, isRight } = topConfidences(answered)
  const rowsByOption = answered.names.map((): number[] => [])
  for (const [row, answer] of answers.entries()) rowsByOption[answer]?.push(row)
  return answered.names.map((option, at) => {
    const rows = rowsByOption[at] ?? []
    const curve = coverageCurve(
      rows.map((row) => confidences[row] ?? 0),
      rows.map((row) => isRight[row] ?? 0),
    )
    return { option, curve }
  })
}

const rowsOf = (curve: readonly CoveragePoint[]): number => curve.at(-1)?.decided ?? 0
const totalRows = (curves: readonly OptionCurve[]): number => curves.reduce((sum, { curve }) => sum + rowsOf(curve), 0)

/** Returns a claim per option that the model answers, each with an equal part of the risk, so that all hold together. */
export function optionClaims(curves: readonly OptionCurve[], target: number): OptionClaim[] {
  return curves.map(({ option, curve }) => {
    const walked = walkCurve(curve, target, { risk: RISK / curves.length })
    const none = { option, from: null, rows: rowsOf(curve), automatic: 0, wrong: 0 }
    if (!("at" in walked)) return { ...none, fault: walked.fault }
    const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
    return { ...none, from: thresholdAt(curve, walked.at), fault: null, automatic: decided, wrong }
  })
}

/** Returns the chance that so many rows like these prove a threshold for the option that is most likely to get one. */
export function optionChance(curves: readonly OptionCurve[], target: number, rows: number): number {
  const risk = RISK / curves.length
  const all = totalRows(curves)
  const chances = curves.map(({ curve }) =>
    chanceToPass(curve, Math.round((rows * rowsOf(curve)) / all), target, { risk }),
  )
  return Math.max(0, ...chances)
}

/** Finds the options that can be automatic, each from its own probability up. */
export function findOptionFloors(
  curves: readonly OptionCurve[],
  target: number,
  withCost: (counts: Omit<RuleCounts, "cost">) => RuleCounts,
): Found {
  const options = optionClaims(curves, target)
  const proved = options.filter(({ from }) => from !== null)
  const rows = totalRows(curves)
  if (proved.length === 0) {
    const fault = options.some((each) => each.fault === "surest") ? "surest" : "few"
    const most = Math.max(0, ...options.map((each) => each.rows))
    const needed = rowsNeeded(target, RISK / options.length)
    return { automation: null, unproved: [{ subject: "option", target, fault, rows: most, needed }] }
  }
  const automatic = proved.reduce((sum, each) => sum + each.automatic, 0)
  const wrong = proved.reduce((sum, each) => sum + each.wrong, 0)
  const errorBound = upperBound(wrong, automatic)
  const claims = proved.map(
    ({ option, automatic, wrong }): Claim => ({ subject: "option", option, target, method: "walk", automatic, wrong }),
  )
  return {
    automation: {
      rule: `Act on ${proved.length} of ${options.length} options, each from its own probability up. Review the rest.`,
      band: { low: null, high: null },
      options: options.map(({ option, from }) => [option, from]),
      claims,
      counts: withCost({ rows, automatic, review: rows - automatic, wrong, errorBound }),
      halves: null,
      mistakes: `${wrong} of ${automatic} automatic answers are wrong.`,
    },
    unproved: [],
  }
}
