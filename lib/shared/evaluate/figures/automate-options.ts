import { RISK, upperBound } from "@/lib/shared/statistics/binomial"
import { coverageCurve, thresholdAt } from "@/lib/shared/statistics/coverage"
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

/** Returns a claim per option that the model answers, each with an equal part of the risk, so that all hold together. */
export function optionClaims({ names, labels, probabilities }: Answered, target: number): OptionClaim[] {
  const { confidences } = topConfidences({ names, labels, probabilities })
  const answers = probabilities.map((each) => mostLikely([...each]))
  return names.map((option, at) => {
    const rows = answers.flatMap((answer, row) => (answer === at ? [row] : []))
    const curve = coverageCurve(
      rows.map((row) => confidences[row] ?? 0),
      rows.map((row) => labels[row] === at),
    )
    const walked = walkCurve(curve, target, { risk: RISK / names.length })
    const none = { option, from: null, rows: rows.length, automatic: 0, wrong: 0 }
    if (!("at" in walked)) return { ...none, fault: walked.fault }
    const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
    return { ...none, from: thresholdAt(curve, walked.at), fault: null, automatic: decided, wrong }
  })
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
