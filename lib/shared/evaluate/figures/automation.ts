import {
  type BandCheck,
  type BandCosts,
  bandChooser,
  cheapestBand,
  checkBand,
  type DecisionBand,
  meanCost,
} from "@/lib/shared/statistics/band"
import { trialsWithoutError } from "@/lib/shared/statistics/binomial"
import {
  type CoveragePoint,
  cheapestThreshold,
  checkThreshold,
  chooseThreshold,
  coverageCurve,
} from "@/lib/shared/statistics/coverage"
import { type Forecasts, sortForecasts } from "@/lib/shared/statistics/forecasts"
import { mostLikely } from "@/questions/probabilities"
import type { Answered } from "./evaluation-figures"
import { formatShare } from "./figure-text"

/** The user's goal for automatic answers. All costs have the same unit, which the user chooses. */
export interface Goal {
  kind: "target" | "costs"
  /** The highest share of wrong automatic answers. */
  target: number
  costs: BandCosts
}

export const FIRST_GOAL: Goal = { kind: "target", target: 0.02, costs: { falseYes: 10, falseNo: 10, review: 1 } }

/** The results of a band or threshold on one half of the rows. */
export interface HalfCounts {
  rows: number
  automatic: number
  review: number
  wrong: number
  errorBound: number
  cost: number
}

/** A rule for automatic answers, chosen on one half and counted on both. */
export interface Automation {
  /** "Answer yes from 0.83 up." */
  rule: string
  band: DecisionBand
  chosen: HalfCounts
  checked: HalfCounts
  /** Wrong answers on the half that checks, by kind. */
  mistakes: string
}

/** Both halves of a question's rows, sorted once, and how a rule is found in them. */
export interface Automatable {
  /** The number of rows in the choosing half. */
  rows: number
  automate(goal: Goal): Automation | null
}

/** The range of error targets that the user can choose from. */
export const TARGETS = { least: 0.005, most: 0.2, step: 0.005 }

/**
 * Returns the lowest target above the goal's for which a rule is found; null when there is none. Only the choosing half is
 * searched, so the check of a found rule stays valid.
 */
export function reachableTarget(automatable: Automatable, goal: Goal): number | null {
  const steps = Math.round(TARGETS.most / TARGETS.step)
  for (let step = Math.floor(goal.target / TARGETS.step) + 1; step <= steps; step++) {
    const target = step * TARGETS.step
    if (automatable.automate({ ...goal, target })) return target
  }
  return null
}

export const formatThreshold = (value: number): string => String(Number(value.toFixed(6)))

function bandRule({ low, high }: DecisionBand): string {
  const parts = [
    ...(high <= 1 ? [`yes from ${formatThreshold(high)} up`] : []),
    ...(low > 0 ? [`no below ${formatThreshold(low)}`] : []),
  ]
  if (parts.length === 0) return "Review every row."
  return `Answer ${parts.join(" and ")}.${low < high && parts.length === 2 ? " Review the rows in between." : parts.length === 1 ? " Review the rest." : ""}`
}

export const yesOf = ({ labels, probabilities }: Answered): Forecasts =>
  sortForecasts(
    probabilities.map(([, yes = 0]) => yes),
    labels,
  )

/** Prepares yes/no rows for a band: auto-no, review, auto-yes. */
export function automatableBand(choose: Answered, check: Answered): Automatable {
  const [first, second] = [yesOf(choose), yesOf(check)]
  const chooseBand = bandChooser(first)
  return {
    rows: first.isYes.length,
    automate({ kind, target, costs }) {
      const band = kind === "target" ? chooseBand(target) : cheapestBand(first, costs)
      if (!band) return null
      const counts = (counted: BandCheck): HalfCounts => ({ ...counted, cost: meanCost(counted, costs) })
      const checked = checkBand(second, band)
      return {
        rule: bandRule(band),
        band,
        chosen: counts(checkBand(first, band)),
        checked: counts(checked),
        mistakes: `${checked.falseYes} of ${checked.yes} automatic yes and ${checked.falseNo} of ${checked.no} automatic no are wrong.`,
      }
    },
  }
}

export const curveOf = ({ labels, probabilities }: Answered): CoveragePoint[] => {
  const answers = probabilities.map((each) => mostLikely([...each]))
  return coverageCurve(
    probabilities.map((each, row) => each[answers[row] ?? 0] ?? 0),
    answers.map((answer, row) => answer === labels[row]),
  )
}

/** Prepares rows for a threshold on the probability of the most likely outcome. */
export function automatableThreshold(choose: Answered, check: Answered): Automatable {
  const [first, second] = [curveOf(choose), curveOf(check)]
  return {
    rows: choose.labels.length,
    automate({ kind, target, costs }) {
      const wrongCost = costs.falseYes
      const high =
        kind === "target"
          ? chooseThreshold(first, target)
          : cheapestThreshold(first, { wrong: wrongCost, review: costs.review })
      if (high === null) return null
      const counts = (curve: readonly CoveragePoint[]): HalfCounts => {
        const counted = checkThreshold(curve, high)
        return { ...counted, cost: (counted.wrong * wrongCost + counted.review * costs.review) / counted.rows }
      }
      const checked = counts(second)
      return {
        rule:
          high > 1
            ? "Review every row."
            : `Act on the most likely option when its probability is ${formatThreshold(high)} or more. Review the rest.`,
        band: { low: 0, high },
        chosen: counts(first),
        checked,
        mistakes: `${checked.wrong} of ${checked.automatic} automatic answers are wrong.`,
      }
    },
  }
}

/** Returns what the check says about an error target, as text. */
export function verdictOf({ automatic, errorBound }: HalfCounts, target: number): { holds: boolean; text: string } {
  const bound = formatBound(errorBound)
  if (automatic === 0) return { holds: false, text: "No row of the other half is automatic, so nothing is known." }
  if (errorBound <= target)
    return { holds: true, text: `Confirmed: at most ${bound} of the automatic answers are wrong (95% confidence).` }
  return {
    holds: false,
    text: `Not confirmed: up to ${bound} of the automatic answers may be wrong (95% confidence). Your target is ${formatShare(target)}.`,
  }
}

/** Rounds a bound up, so that the text never promises more than was computed. */
export const formatBound = (bound: number): string => `${(Math.ceil(bound * 1_000 - 1e-9) / 10).toFixed(1)}%`

/** Returns why no rule reaches a target with these rows, and what would help. */
export function whyNone(rowsOfHalf: number, target: number): string {
  const needed = trialsWithoutError(target)
  return rowsOfHalf < needed
    ? `Showing at most ${formatShare(target)} takes ${needed} automatic rows without any mistake in each half. Each half has ${rowsOfHalf}. Label at least ${2 * needed} rows, or raise the target.`
    : "In the choosing half, no threshold makes few enough mistakes. Wrong labels count as mistakes too: look at the wrong answers below. Otherwise, raise the target, label more rows, or improve the question."
}
