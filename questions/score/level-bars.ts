import type { JsonText } from "@/lib/shared/json/text"
import { nearestLevel } from "@/lib/shared/nearest-level"
import {
  type Explanation,
  type Figure,
  memberOf,
  readShares,
  roundStep,
  roundStepAtZero,
  type Share,
  toFigure,
  toShare,
} from "../display"
import { mostLikely, nearProbability } from "../probabilities"

interface LevelBar extends Share {
  level: number
  label: string
  /** The probability as a part of the largest one, 0 to 1. */
  length: number
}

export interface ScoreBars {
  mean: { value: number; exact: string; text: string }
  confidence: Share
  /** One per level, in level order. */
  bars: LevelBar[]
  mostLikely: number
}

/** Prepares an answer for its chart. Null when the score, the confidence or a level's probability is missing or out of range. */
export function prepareLevels(levels: JsonText[], answer: unknown): ScoreBars | null {
  const read = readShares(
    answer,
    levels.map((_, level) => String(level)),
  )
  const mean = memberOf(answer, "score")
  if (!read || typeof mean !== "number" || mean < 0 || mean > levels.length - 1) return null
  const { probabilities, confidence } = read
  const largest = Math.max(...probabilities)
  return {
    mean: { value: mean, exact: String(mean), text: mean.toFixed(2) },
    confidence,
    bars: probabilities.map((value, level) => ({
      level,
      label: levels[level]?.text() ?? "",
      ...toShare(value),
      length: largest > 0 ? value / largest : 0,
    })),
    mostLikely: mostLikely(probabilities),
  }
}

export const levelFigures = ({ mean, confidence, bars }: ScoreBars): Figure[] => [
  toFigure("Mean", mean.value),
  toFigure("Confidence", confidence.value),
  ...bars.map(({ level, value }) => toFigure(`p(${level})`, value)),
]

/** Returns the probability of the levels at most one away from the rounded score. */
export const withinShare = ({ mean, bars }: ScoreBars): Share =>
  toShare(
    nearProbability(
      bars.map(({ value }) => value),
      nearestLevel(mean.value),
    ),
  )

export function explainScore(probabilities: number[]): Explanation {
  const n = probabilities.length
  const mode = mostLikely(probabilities)
  const far = probabilities
    .map((p, level) => ({ p, distance: Math.abs(level - mode) }))
    .filter(({ distance }) => distance)
  const spread = far.reduce((sum, { p, distance }) => sum + p * distance, 0)
  const even = probabilities.reduce((sum, _, level) => sum + Math.abs(level - (n - 1) / 2), 0) / n
  const steps =
    n < 2
      ? ["There is one level: 1"]
      : [
          `most likely level: ${mode}`,
          `spread = ${far.map(({ p, distance }) => `${roundStep(p)} × ${distance}`).join(" + ")} = ${roundStep(spread)}`,
          `even split's spread = ${roundStep(even)}`,
          `1 − ${roundStep(spread)} ÷ ${roundStep(even)} = ${roundStepAtZero(1 - spread / even)}`,
        ]
  return {
    formula:
      "1 − spread ÷ even split's spread, at least 0; spread = probability × distance from the most likely level, summed",
    steps,
    meaning: "1: all probability is on one level. 0: it is spread at least as far as an even split would be.",
  }
}
