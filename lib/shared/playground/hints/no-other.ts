import { asText } from "../words"
import { type Rule, wordsOf } from "./hint"

const CATCHES_ALL =
  /\b(other|others|none|neither|unclear|unknown|else|unsure|not applicable|any(thing|one)? else|n\/a|ask)\b/i
const words = (name: string): string => name.replaceAll(/[_-]/g, " ")

/** Where nothing fits, the probabilities still sum to 1 and some option gets them. */
export const noOther: Rule = (question) => {
  if (question.type !== "choice") return null
  const named = question.options.filter(({ name }) => name.trim() !== "")
  if (named.length < 2) return null
  if (named.some(({ name, description }) => CATCHES_ALL.test(`${words(name)} ${wordsOf(description)}`))) return null
  return {
    rule: "no-other",
    message: "No option stands for “none of these”: a state that fits none is forced into one of them.",
    fix: {
      label: "Add “other”",
      apply: (asked) => ({
        ...asked,
        options: [...asked.options, { name: "other", description: asText("None of these fits.") }],
      }),
    },
  }
}
