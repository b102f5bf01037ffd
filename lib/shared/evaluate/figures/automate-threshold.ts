import { RISK } from "@/lib/shared/statistics/binomial"
import { roundedScores, withinOneLevel } from "@/lib/shared/statistics/classes"
import {
  type CoveragePoint,
  cheapestThreshold,
  checkThreshold,
  coverageCurve,
  thresholdAt,
  widestThreshold,
} from "@/lib/shared/statistics/coverage"
import { splitAndTest } from "@/lib/shared/statistics/split"
import { walkCurve } from "@/lib/shared/statistics/walk"
import { mostLikely } from "@/questions/probabilities"
import { halfOf, type SplitAnswers } from "./answered-rows"
import { type Automatable, type Claim, type Goal, type RuleCounts, rowsNeeded, type Unproved } from "./automation"
import type { Answered } from "./evaluation-figures"
import { scored } from "./ordinal-figures"

/** How the answers of a question become a curve, and how its rule reads. */
interface ThresholdRule {
  subject: "all" | "within"
  curveOf(answered: Answered): CoveragePoint[]
  text(threshold: number): string
  mistakes(counts: { automatic: number; wrong: number }): string
}

/** A confidence and whether the answer is right, per row. */
export interface Confidences {
  confidences: Float64Array
  isRight: Uint8Array
}

/** Reads the probability of the most likely option. */
export function topConfidences({ labels, probabilities }: Answered): Confidences {
  const answers = probabilities.map((each) => mostLikely([...each]))
  return {
    confidences: Float64Array.from(probabilities, (each, row) => each[answers[row] ?? 0] ?? 0),
    isRight: labels.map((label, row) => Number(label === answers[row])),
  }
}

/** Reads the probability that the rounded score is at most one level from the right one. */
export function withinConfidences(answered: Answered): Confidences {
  const data = scored(answered)
  const { predicted } = roundedScores(data)
  return {
    confidences: Float64Array.from(answered.probabilities, (each, row) =>
      withinOneProbability(each, predicted[row] ?? 0),
    ),
    isRight: Uint8Array.from(withinOneLevel(data)),
  }
}

/** Adds the probabilities in the order of the levels, as exported code does. */
function withinOneProbability(probabilities: readonly number[], level: number): number {
  let sum = 0
  for (const [at, p] of probabilities.entries()) if (Math.abs(at - level) <= 1) sum += p
  return sum
}

const curveOfConfidences = ({ confidences, isRight }: Confidences) => coverageCurve(confidences, isRight)
export const curveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(topConfidences(answered))
export const withinCurveOf = (answered: Answered): CoveragePoint[] => curveOfConfidences(withinConfidences(answered))

export const CHOICE_RULE: ThresholdRule = {
  subject: "all",
  curveOf,
  text: (threshold) => `Act on the most likely option when its probability is ${threshold} or more. Review the rest.`,
  mistakes: ({ automatic, wrong }) => `${wrong} of ${automatic} automatic answers are wrong.`,
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
      const counts = (counted: readonly CoveragePoint[], threshold: number | null): RuleCounts => {
        const checked = checkThreshold(counted, threshold)
        return { ...checked, cost: (checked.wrong * wrongCost + checked.review * costs.review) / checked.rows }
      }
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

/** What is proved for the rows of one predicted option. */
export interface OptionClaim {
  option: string
  /** Null: not enough rows, or too many mistakes. */
  from: number | null
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
    if (!("at" in walked)) return { option, from: null, rows: rows.length, automatic: 0, wrong: 0 }
    const { decided = 0, wrong = 0 } = curve[walked.at] ?? {}
    return { option, from: thresholdAt(curve, walked.at), rows: rows.length, automatic: decided, wrong }
  })
}
