import type { JsonText } from "@/lib/shared/json/text"
import { nearestLevel } from "@/lib/shared/nearest-level"
import { readShares } from "../display"
import { findName, type Outcomes } from "../outcomes"
import { clamp } from "../probabilities"

interface Score {
  levels: JsonText[]
}

/** Returns the indexes that name the levels in an answer. */
export const keysOf = ({ levels }: Score): string[] => levels.map((_, level) => String(level))

/** Returns the average of the levels, weighted by their probabilities. */
export const scoreOf = (probabilities: number[]): number =>
  clamp(
    probabilities.reduce((sum, p, i) => sum + i * p, 0),
    probabilities.length - 1,
  )

const LEVEL = /^(?:level )?(\d{1,2})(?:\.0+)?$/i

export const scoreOutcomes: Outcomes<Score> = {
  names: ({ levels }) => levels.map((level) => level.text()),
  keys: keysOf,
  // Compares the texts of levels before their numbers, because a level's text may itself be a number.
  indexOf({ levels }, label, firstLevel) {
    const named = findName(
      levels.map((level) => level.text()),
      label,
    )
    if (named !== null) return named
    const level = Number(LEVEL.exec(label.trim())?.[1] ?? Number.NaN) - firstLevel
    return level >= 0 && level < levels.length ? level : null
  },
  areNumbered: true,
  probabilities: (question, answer) => readShares(answer, keysOf(question))?.probabilities ?? null,
  predicted: (probabilities) => nearestLevel(scoreOf(probabilities)),
}
