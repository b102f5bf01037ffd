import type { JsonText } from "@/lib/shared/json/text"
import { nearestLevel } from "@/lib/shared/nearest-level"
import { readShares } from "../display"
import { findName, type Outcomes } from "../outcomes"
import { meanLevel } from "../probabilities"

interface Score {
  levels: JsonText[]
}

/** Returns the indexes that name the levels in an answer. */
export const keysOf = ({ levels }: Score): string[] => levels.map((_, level) => String(level))

const LEVEL = /^(?:level )?(\d{1,2})(?:\.0+)?$/i

// Sums of rounded probabilities may exceed 1, which is refused.
const REPORTED = {
  typescript: `{
      score: answer.score ?? Number.NaN,
      within_one: Math.min(
        1,
        [-1, 0, 1].reduce((sum, step) => sum + (answer.probabilities?.[Math.round(answer.score ?? Number.NaN) + step] ?? 0), 0),
      ),
    }`,
  python: `{
            "score": answer["score"],
            "within_one": min(
                1.0,
                sum(
                    answer["probabilities"].get(str(int(answer["score"] // 1 + (answer["score"] % 1 >= 0.5)) + step), 0.0)
                    for step in (-1, 0, 1)
                ),
            ),
        }`,
  jq: `(.score | round) as $level
    | { score, within_one: ([1, ([.probabilities[$level - 1, $level, $level + 1 | tostring] // 0] | add)] | min) }`,
}

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
  probabilities: (question, answer) => readShares(answer, keysOf(question))?.probabilities ?? null,
  predicted: (probabilities) => nearestLevel(meanLevel(probabilities)),
  exported: {
    member: "score",
    slack: 1,
    outcome: {
      typescript: "Math.round(meanOf(probabilities))",
      // Adding 0.5 would round the number just below 0.5 up.
      python: "int(mean_of(probabilities) // 1 + (mean_of(probabilities) % 1 >= 0.5))",
    },
    reported: REPORTED,
  },
}
