import { asText } from "../words"
import type { Rule } from "./hint"

/** A scale of one level has one answer. */
export const oneLevel: Rule = (question) => {
  if (question.type !== "score" || question.levels.length !== 1) return null
  return {
    rule: "one-level",
    message: "With one level the score is always 0. At least two levels are advised.",
    fix: {
      label: "Add a level",
      apply: (asked) => ({ ...asked, levels: [...asked.levels, { label: asText("") }] }),
    },
  }
}
