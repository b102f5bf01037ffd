import { RISK } from "@/lib/shared/statistics/binomial"
import {
  type CoveragePoint,
  cheapestThreshold,
  checkThreshold,
  coverageCurve,
  thresholdAt,
  widestThreshold,
} from "@/lib/shared/statistics/coverage"
import { chanceToPass } from "@/lib/shared/statistics/pilot"
import { splitAndTest } from "@/lib/shared/statistics/split"
import { walkCurve } from "@/lib/shared/statistics/walk"
import type { SplitAnswers } from "./answered-rows"
import { findOptionFloors, type OptionCurve, optionChance, optionClaims, optionCurves } from "./automate-options"
import { type Automatable, type Claim, type Goal, type RuleCounts, rowsNeeded, type Unproved } from "./automation"
import { type Confidences, topConfidences, withinConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"

/** How the answers of a question become a curve, and how its rule reads. */
export interface ThresholdRule {
  subject: "all" | "within"
  confidencesOf(answered: Answered): Confidences
  text(threshold: number): string
  mistakes(counts: { automatic: number; wrong: number }): string
  /** Returns the rows of each option. Absent for a question without options. */
  optionCurves?(answered: Answered): OptionCurve[]
}

const curveOfConfidences = ({ confidences, isRight }: Confidences) => coverageCurve(confidences, isRight)
export const curveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(topConfidences(answered))
export const withinCurveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(withinConfidences(answered))

function halfOf({ confidences, isRight }: Confidences, isCheck: Uint8Array, half: 0 | 1): Confidences {
  const isInHalf = (_: number, row: number) => isCheck[row] === half
  return { confidences: confidences.filter(isInHalf), isRight: isRight.filter(isInHalf) }
}

export const CHOICE_RULE: ThresholdRule = {
  subject: "all",
  confidencesOf: topConfidences,
  text: (threshold) => `Act on the most likely option when its probability is ${threshold} or more. Review the rest.`,
  mistakes: ({ automatic, wrong }) => `${wrong} of ${automatic} automatic answers are wrong.`,
  optionCurves,
}

export const SCORE_RULE: ThresholdRule = {
  subject: "within",
  confidencesOf: withinConfidences,
  text: (threshold) =>
    `Act on the rounded score when the levels at most one away from it have a probability of ${threshold} or more together. Review the rest.`,
  mistakes: ({ automatic, wrong }) => `${wrong} of ${automatic} automatic scores are more than one level off.`,
}

/** Prepares rows for a threshold on a confidence. */
export function automatableThreshold(answered: SplitAnswers, rule: ThresholdRule): Automatable {
  const confidences = rule.confidencesOf(answered)
  const curve = curveOfConfidences(confidences)
  const curveOfHalf = (half: 0 | 1) => curveOfConfidences(halfOf(confidences, answered.isCheck, half))
  const [first, second] = [curveOfHalf(0), curveOfHalf(1)]
  const options = rule.optionCurves?.(answered)
  const proved = (target: number) => proveThreshold(curve, [first, second], target, rule.subject)
  return {
    find({ kind, target, costs }: Goal) {
      const wrongCost = costs.falseYes
      const withCost = (counted: Omit<RuleCounts, "cost">): RuleCounts => ({
        ...counted,
        cost: (counted.wrong * wrongCost + counted.review * costs.review) / counted.rows,
      })
      if (kind === "options" && options) return findOptionFloors(options, target, withCost)
      const counts = (counted: readonly CoveragePoint[], threshold: number | null): RuleCounts =>
        withCost(checkThreshold(counted, threshold))
      const found =
        kind === "costs"
          ? { high: cheapestThreshold(first, { wrong: wrongCost, review: costs.review }), claims: [] }
          : proved(target)
      if ("fault" in found) return { automation: null, unproved: [found] }
      const { high, claims } = found
      const whole = counts(curve, high)
      const hasHalves = kind === "costs" || claims.some(({ method }) => method === "split")
      const automation = {
        rule: high === null ? "Review every row." : rule.text(high),
        band: { low: null, high },
        claims,
        counts: whole,
        halves: hasHalves ? { chosen: counts(first, high), checked: counts(second, high) } : null,
        mistakes: rule.mistakes(whole),
      }
      return { automation, unproved: [] }
    },
    ...(options && { optionClaims: (target: number) => optionClaims(options, target) }),
    chance: ({ target }, subject, rows) =>
      subject === "option" && options
        ? optionChance(options, target, rows)
        : chanceToPass(curve, rows, target, { fromHalf: true }),
  }
}

function proveThreshold(
  curve: readonly CoveragePoint[],
  [first, second]: readonly [readonly CoveragePoint[], readonly CoveragePoint[]],
  target: number,
  subject: Claim["subject"],
): { high: number; claims: Claim[] } | Unproved {
  const walked = walkCurve(curve, target, { fromHalf: true })
  const rows = curve.at(-1)?.decided ?? 0
  if ("at" in walked) {
    const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
    return {
      high: thresholdAt(curve, walked.at),
      claims: [{ subject, target, method: "walk", automatic: decided, wrong }],
    }
  }
  const unproved = { subject, target, fault: walked.fault, rows, needed: rowsNeeded(target, RISK / 2) }
  if (walked.fault === "few") return unproved
  const high = splitAndTest(
    (risk) => widestThreshold(first, target, risk),
    (each) => checkThreshold(second, each),
    { rows: second.at(-1)?.decided ?? 0, target },
  )
  if (high === null) return unproved
  const { automatic, wrong } = checkThreshold(second, high)
  return { high, claims: [{ subject, target, method: "split", automatic, wrong }] }
}
