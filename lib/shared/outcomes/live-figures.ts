import type { Interval } from "@/lib/shared/statistics/binomial"
import { CalibrationWatch } from "@/lib/shared/statistics/calibration-watch"
import { ErrorWatch, errorSequence } from "@/lib/shared/statistics/error-sequence"
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
  side: "above" | "below"
  target: number
  answers: number
  errors: number
  /** Null without answers. */
  rate: number | null
  /** The rate when each answer counts for as many as its sampled share stands for; null unless the shares differ. */
  weightedRate: number | null
  /** Contains the true rate, 95% sure, however often one looks. */
  interval: Interval
  /** Evidence that more than the target are wrong; from 20 on an alarm. */
  evidence: number
  /** When the alarm was first due, in ms; null for never. */
  alarmAtMs: number | null
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
  calibration: { evidence: number; alarmAtMs: number | null }
  brier: number
  parts: CorpParts
  steps: IsotonicStep[]
  /** Where a calibrated model's steps stay in 95% of such samples; empty above `MAX_BAND_OUTCOMES`. */
  band: BandPoint[]
  /** Oldest first. */
  weeks: WeekFigures[]
}

/** Drawing the samples of the band for this many outcomes takes about 0.05 s, during which the console's process does nothing else. */
export const MAX_BAND_OUTCOMES = 5_000
/** The same outcomes always get the same band. */
const BAND = { seed: 550, replicates: 200 }

type SideName = SideFigures["side"]

/** Returns the side on which an answer is automatic; null for one that is left for review. */
function sideOf(predicted: number, { from, below }: LiveRule): SideName | null {
  if (from !== null && predicted >= from) return "above"
  return below !== null && predicted < below ? "below" : null
}

const isWrong = (side: SideName, happened: boolean): boolean => (side === "above") !== happened

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
  const target = side === "above" ? rule.targetAbove : rule.targetBelow
  const watch = new ErrorWatch(target)
  for (const { happened } of own) watch.add(isWrong(side, happened))
  const errors = own.filter(({ happened }) => isWrong(side, happened)).length
  return {
    side,
    target,
    answers: own.length,
    errors,
    rate: own.length === 0 ? null : errors / own.length,
    weightedRate: weightedRate(own, side),
    interval: errorSequence(errors, own.length),
    evidence: watch.evidence,
    alarmAtMs: timeOf(own, watch.alarmAt),
  }
}

const timeOf = (outcomes: readonly LiveOutcome[], count: number | null): number | null =>
  count === null ? null : (outcomes[count - 1]?.atMs ?? null)

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

/**
 * Returns the figures of outcomes, in the order in which they became known. There is at least one. Alarms are valid at any time: while
 * the claim holds, one is ever due in at most 5% of all histories.
 */
export function liveFigures(outcomes: readonly LiveOutcome[], rule: LiveRule): LiveFigures {
  const watch = new CalibrationWatch()
  for (const { predicted, happened } of outcomes) watch.add(predicted, happened)
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
    calibration: { evidence: watch.evidence, alarmAtMs: timeOf(outcomes, watch.alarmAt) },
    brier: brier(forecasts)(evenWeights(outcomes.length)),
    parts: corpParts(forecasts),
    steps: isotonicSteps(forecasts),
    band: outcomes.length > MAX_BAND_OUTCOMES ? [] : consistencyBand(forecasts, BAND),
    weeks: weeksOf(outcomes, rule),
  }
}
