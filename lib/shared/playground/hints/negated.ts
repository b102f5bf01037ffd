import { asText } from "../words"
import { askedIn, type Rule } from "./hint"

const FLIPPED = /^(is|are|was|were|does|do|did|has|have|can|should|will)n['’]t\b/i
const NEGATED =
  /\b(is|are|was|were|does|do|did|has|have|can|should|will)(n['’]t| not)\b|\b(never|without|lacks?|fails? to)\b/i
const INSIDE = /^((?:is|are|was|were|does|do|did|has|have|can|should|will)\b.*?) not\b/i

/** The same question without its "not"; null where that takes more than leaving it out. */
function positive(text: string): string | null {
  if (FLIPPED.test(text)) return text.replace(FLIPPED, "$1").replace(/^ca\b/i, "Can")
  return INSIDE.test(text) ? text.replace(INSIDE, "$1") : null
}

/** A "yes" to a negated question reads as "no". */
export const negated: Rule = (question) => {
  if (question.type !== "noul") return null
  const text = askedIn(question)
  const asked = text.split(/(?<=\?)/)[0] ?? ""
  if (![NEGATED, FLIPPED, INSIDE].some((pattern) => pattern.test(asked))) return null
  const without = positive(text)
  return {
    rule: "negated",
    message:
      "A negated question is misread easily: does yes mean that it is so, or that it is not? Ask for what may be there.",
    fix: without
      ? {
          label: "Ask without the “not”",
          // What yes meant is now a no.
          apply: (asked) => ({ ...asked, instructions: asText(without), yes: asked.no, no: asked.yes }),
        }
      : undefined,
  }
}
