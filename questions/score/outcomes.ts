import type { JsonText } from "@/lib/shared/json/text"
import { readShares } from "../display"
import { findName, type Outcomes } from "../outcomes"

interface Score {
  levels: JsonText[]
}

const LEVEL = /^(?:level )?(\d{1,2})(?:\.0+)?$/i

export const scoreOutcomes: Outcomes<Score> = {
  names: ({ levels }) => levels.map((level) => level.text()),
  /** A level's text comes before its number, because levels may be named by numbers. */
  indexOf({ levels }, label, firstLevel) {
    const named = findName(
      levels.map((level) => level.text()),
      label,
    )
    if (named !== null) return named
    const level = Number(LEVEL.exec(label.trim())?.[1] ?? Number.NaN) - firstLevel
    return level >= 0 && level < levels.length ? level : null
  },
  probabilities: ({ levels }, answer) =>
    readShares(
      answer,
      levels.map((_, level) => String(level)),
    )?.probabilities ?? null,
}
