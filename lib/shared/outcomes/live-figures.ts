import type { Interval } from "@/lib/shared/statistics/binomial"
import { errorSequence } from "@/lib/shared/statistics/error-sequence"
import { brier, evenWeights, type Forecasts, sortForecasts } from "@/lib/shared/statistics/forecasts"
import {
  type BandPoint,
  type CorpParts,
  consistencyBand,
  corpParts,
  type IsotonicStep,
  isotonicSteps,
} from "@/lib/shared/statistics/isotonic"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { isOnSide, isWrong, type SideName } from "./sides"

/** The outcome of one answer. */
export interface LiveOutcome {
  /** The predicted probability of the event: yes, that the choice is right, or that the level is at most one from the score. */
  predicted: number
  happened: boolean
  /** When it became known, in ms. */
  atMs: number
  /** The share of such answers whose outcomes are found out; null when that is unknown. */
  sampledShare: number | null
}

/** Which answers are automatic, and how many of them may be wrong. Null for a side that never is. */
export interface LiveRule {
  /** Yes, or accepted, from this probability up. */
  from: number | null
  /** No below this probability. Only for yes/no questions. */
  below: number | null
  /** The accepted error rate of each side, above 0. */
  targetAbove: number
  targetBelow: number
}

export interface SideFigures {
  side: SideName
  answers: number
  errors: number
  /** Null without answers. */
  rate: number | null
  /** The rate when each answer counts for as many as its sampled share stands for; null unless the shares differ. */
  weightedRate: number | null
  /** Contains the true rate, 95% sure, however often one looks at a side and first day that were chosen before their outcomes. */
  interval: Interval
}

export interface WeekFigures {
  /** The Monday that begins the week, in UTC. */
  monday: string
  outcomes: number
  /** The mean predicted probability, and the share that happened. */
  predicted: number
  happened: number
  /** Automatic answers, and those that were wrong. */
  automatic: number
  errors: number
}

export interface LiveFigures {
  sides: SideFigures[]
  brier: number
  parts: CorpParts
  steps: IsotonicStep[]
  /** Where a calibrated model's steps stay in 95% of such samples; empty above `MAX_BAND_OUTCOMES`. */
  band: BandPoint[]
  /** Oldest first. */
  weeks: WeekFigures[]
}

/** Drawing the samples of the band takes longer with more outcomes, and a worker draws those of one page after another. */
export const MAX_BAND_OUTCOMES = 5_000
/** The same outcomes always get the same band. */
const BAND = { seed: 550, replicates: 200 }

/** Returns the side on which an answer is automatic; null for one that is left for review. */
function sideOf(predicted: number, { from, below }: LiveRule): SideName | null {
  if (from !== null && isOnSide("above", predicted, from)) return "above"
  return below !== null && isOnSide("below", predicted, below) ? "below" : null
}

/** Returns the error rate weighted by 1 / sampled share, by Hájek (1971); null when a share is unknown or all are the same. */
function weightedRate(outcomes: readonly LiveOutcome[], side: SideName): number | null {
  const first = outcomes[0]?.sampledShare
  if (outcomes.every(({ sampledShare }) => sampledShare === first)) return null
  let [wrong, all] = [0, 0]
  for (const { sampledShare, happened } of outcomes) {
    if (sampledShare === null) return null
    all += 1 / sampledShare
    if (isWrong(side, happened)) wrong += 1 / sampledShare
  }
  return wrong / all
}

function sideFigures(outcomes: readonly LiveOutcome[], side: SideName, rule: LiveRule): SideFigures {
  const own = outcomes.filter(({ predicted }) => sideOf(predicted, rule) === side)
  const errors = own.filter(({ happened }) => isWrong(side, happened)).length
  return {
    side,
    answers: own.length,
    errors,
    rate: own.length === 0 ? null : errors / own.length,
    weightedRate: weightedRate(own, side),
    interval: errorSequence(errors, own.length),
  }
}

/** The first Monday of Unix time was its fifth day. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const mondayOf = (ms: number): string =>
  dayOf(new Date(FIRST_MONDAY_MS + Math.floor((ms - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS))

function weeksOf(outcomes: readonly LiveOutcome[], rule: LiveRule): WeekFigures[] {
  const weeks = new Map<string, WeekFigures>()
  for (const { atMs, predicted, happened } of outcomes) {
    const monday = mondayOf(atMs)
    const week = weeks.get(monday) ?? { monday, outcomes: 0, predicted: 0, happened: 0, automatic: 0, errors: 0 }
    const side = sideOf(predicted, rule)
    week.outcomes++
    week.predicted += predicted
    week.happened += Number(happened)
    week.automatic += Number(side !== null)
    week.errors += Number(side !== null && isWrong(side, happened))
    weeks.set(monday, week)
  }
  return [...weeks.values()]
    .sort((a, b) => (a.monday < b.monday ? -1 : 1))
    .map((week) => ({ ...week, predicted: week.predicted / week.outcomes, happened: week.happened / week.outcomes }))
}

/** Returns the figures of outcomes, in the order in which they became known. There is at least one. */
export function liveFigures(outcomes: readonly LiveOutcome[], rule: LiveRule): LiveFigures {
  const forecasts: Forecasts = sortForecasts(
    outcomes.map(({ predicted }) => predicted),
    outcomes.map(({ happened }) => happened),
  )
  const sides: SideName[] = [
    ...(rule.from === null ? [] : (["above"] as const)),
    ...(rule.below === null ? [] : (["below"] as const)),
  ]
  return {
    sides: sides.map((side) => sideFigures(outcomes, side, rule)),
    brier: brier(forecasts)(evenWeights(outcomes.length)),
    parts: corpParts(forecasts),
    steps: isotonicSteps(forecasts),
    band: outcomes.length > MAX_BAND_OUTCOMES ? [] : consistencyBand(forecasts, BAND),
    weeks: weeksOf(outcomes, rule),
  }
}
