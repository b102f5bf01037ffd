import { isBlank } from "@/lib/shared/json-source/text-or-json"
import { countingQuestion, doubleQuestion, type HintRule, noInstructions } from "../hint-rules"
import { emptyLevel, type ScoreFields } from "./form"

const oneLevel: HintRule<ScoreFields> = ({ levels }) => {
  if (levels.length !== 1) return null
  return {
    rule: "one-level",
    message: "With one level the score is always 0. Add a second level.",
    fix: { label: "Add a level", change: (before) => ({ levels: [...before.levels, emptyLevel()] }) },
  }
}

const emptyLabel: HintRule<ScoreFields> = ({ levels }) => {
  const at = levels.findIndex(({ label }) => isBlank(label))
  if (at < 0) return null
  return {
    rule: "empty-text",
    message: `Level ${at} is empty. Describe or remove it.`,
    fix:
      levels.length > 2
        ? {
            label: `Remove level ${at}`,
            change: (before) => ({ levels: before.levels.filter((_, index) => index !== at) }),
          }
        : undefined,
  }
}

export const scoreHints: readonly HintRule<ScoreFields>[] = [
  doubleQuestion,
  countingQuestion,
  oneLevel,
  emptyLabel,
  noInstructions,
]
