import { isBlank } from "../words"
import type { Rule } from "./hint"

/** The API takes a level of no words; no model can tell what it means. */
export const emptyWords: Rule = (question) => {
  if (question.type !== "score") return null
  const at = question.levels.findIndex(({ label }) => isBlank(label))
  if (at < 0) return null
  return {
    rule: "empty-words",
    message: `Level ${at} says nothing. Describe it, or remove it.`,
    fix:
      question.levels.length > 2
        ? {
            label: `Remove level ${at}`,
            apply: (asked) => ({ ...asked, levels: asked.levels.filter((_, index) => index !== at) }),
          }
        : undefined,
  }
}
