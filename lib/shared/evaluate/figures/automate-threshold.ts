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
import { halfOf, type SplitAnswers } from "./answered-rows"
import { findOptionFloors, optionChance } from "./automate-options"
import {
  type Automatable,
  type Claim,
  type Found,
  type Goal,
  type RuleCounts,
  rowsNeeded,
  type Unproved,
} from "./automation"
import { type Confidences, topConfidences, withinConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"

/** How the answers of a question become a curve, and how its rule reads. */
export interface ThresholdRule {
  subject: "all" | "within"
  curveOf(answered: Answered): CoveragePoint[]
  text(threshold: number): string
  mistakes(counts: { automatic: number; wrong: number }): string
  /** Finds a threshold for each option. Absent for a question without options. */
  findOptions?(answered: Answered, target: number, withCost: (counts: Omit<RuleCounts, "cost">) => RuleCounts): Found
  /** Returns the chance that so many rows like these prove a threshold for an option. */
  optionChance?(answered: Answered, target: number, rows: number): number
}

const curveOfConfidences = ({ confidences, isRight }: Confidences) => coverageCurve(confidences, isRight)
export const curveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(topConfidences(answered))
export const withinCurveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(withinConfidences(answered))

export const CHOICE_RULE: ThresholdRule = {
  subject: "all",
  curveOf,
  text: (threshold) => `Act on the most likely option when its probability is ${threshold} or more. Review the rest.`,
  mistakes: ({ automatic, wrong }) => `${wrong} of ${automatic} automatic answers are wrong.`,
  findOptions: findOptionFloors,
  optionChance,
}

export const SCORE_RULE: ThresholdRule = {
  subject: "within",
  curveOf: withinCurveOf,
  text: (threshold) =>
    `Act on the rounded score when the levels at most one away from it have a probability of ${threshold} or more together. Review the rest.`,
  mistakes: ({ automatic, wrong }) => `${wrong} of ${automatic} automatic scores are more than one level off.`,
}

/** Prepares rows for a threshold on a confidence. */
export function automatableThreshold(answered: SplitAnswers, rule: ThresholdRule): Automatable {
  const curve = rule.curveOf(answered)
  const [first, second] = [rule.curveOf(halfOf(answered, "choose")), rule.curveOf(halfOf(answered, "check"))]
  const proved = (target: number) => proveThreshold(curve, [first, second], target, rule.subject)
  return {
    find({ kind, target, costs }: Goal) {
      const wrongCost = costs.falseYes
      const withCost = (counted: Omit<RuleCounts, "cost">): RuleCounts => ({
        ...counted,
        cost: (counted.wrong * wrongCost + counted.review * costs.review) / counted.rows,
      })
      if (kind === "options" && rule.findOptions) return rule.findOptions(answered, target, withCost)
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
    chance: ({ target }, subject, rows) =>
      subject === "option" && rule.optionChance
        ? rule.optionChance(answered, target, rows)
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
