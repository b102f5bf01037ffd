import { RISK, upperBound } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, coverageCurve, thresholdAt } from "@/lib/shared/statistics/coverage"
import { chanceToPass } from "@/lib/shared/statistics/pilot"
import { type WalkFault, walkCurve } from "@/lib/shared/statistics/walk"
import { mostLikely } from "@/questions/probabilities"
import { type Claim, type Found, type RuleCounts, rowsNeeded } from "./automation"
import { topConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"

/** What is proved for the rows of one predicted option. */
export interface OptionClaim {
  option: string
  /** Null: nothing is proved. */
  from: number | null
  fault: WalkFault | null
  rows: number
  automatic: number
  wrong: number
}

/** Returns the curve of the rows that the model answers with each option. */
function optionCurves(answered: Answered): { option: string; curve: CoveragePoint[] }[] {
  const { names, labels, probabilities } = answered
  const { confidences } = topConfidences(answered)
  const answers = probabilities.map((each) => mostLikely([...each]))
  return names.map((option, at) => {
    const rows = answers.flatMap((answer, row) => (answer === at ? [row] : []))
    const curve = coverageCurve(
      rows.map((row) => confidences[row] ?? 0),
      rows.map((row) => labels[row] === at),
    )
    return { option, curve }
  })
}

const rowsOf = (curve: readonly CoveragePoint[]): number => curve.at(-1)?.decided ?? 0

/** Returns a claim per option that the model answers, each with an equal part of the risk, so that all hold together. */
export function optionClaims(answered: Answered, target: number): OptionClaim[] {
  return optionCurves(answered).map(({ option, curve }) => {
    const walked = walkCurve(curve, target, { risk: RISK / answered.names.length })
    const none = { option, from: null, rows: rowsOf(curve), automatic: 0, wrong: 0 }
    if (!("at" in walked)) return { ...none, fault: walked.fault }
    const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
    return { ...none, from: thresholdAt(curve, walked.at), fault: null, automatic: decided, wrong }
  })
}

/** Returns the chance that so many rows like these prove a threshold for the option that is most likely to get one. */
export function optionChance(answered: Answered, target: number, rows: number): number {
  const risk = RISK / answered.names.length
  const chances = optionCurves(answered).map(({ curve }) =>
    chanceToPass(curve, Math.round((rows * rowsOf(curve)) / answered.labels.length), target, { risk }),
  )
  return Math.max(0, ...chances)
}

/** Finds the options that can be automatic, each from its own probability up. */
export function findOptionFloors(
  answered: Answered,
  target: number,
  withCost: (counts: Omit<RuleCounts, "cost">) => RuleCounts,
): Found {
  const options = optionClaims(answered, target)
  const proved = options.filter(({ from }) => from !== null)
  const rows = answered.labels.length
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
