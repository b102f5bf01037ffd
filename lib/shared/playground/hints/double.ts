import { askedIn, type Rule } from "./hint"

const TWO_MARKS = /\?[^?]*\w[^?]*\?/
const TWO_VERBS =
  /\b(and|or)\s+(also\s+)?(is|are|was|were|does|do|did|has|have|can|should|will|how|what|which|who|when|why)\b/i
const BOTH = /\b(and\/or|as well as)\b/i

/** Two questions in one have one answer between them. */
export const double: Rule = (question) => {
  const text = askedIn(question)
  if (!TWO_MARKS.test(text) && !TWO_VERBS.test(text) && !BOTH.test(text)) return null
  return {
    rule: "double",
    message:
      "This asks two things, and one answer cannot tell which is meant. Another question costs only its own tokens: split it.",
  }
}
