import { isBlank, type TextOrJson } from "@/lib/shared/json-source/text-or-json"

/** The part of a question that every type has and hints are about. */
export interface Worded {
  instructions: TextOrJson
}

/** Advice on the wording of a question. */
export interface Hint<Fields = unknown> {
  rule: string
  message: string
  /** `change` returns the fields to replace. */
  fix?: { label: string; change(question: Worded & Fields): Partial<Worded & Fields> } | undefined
}

export type HintRule<Fields = unknown> = (question: Worded & Fields) => Hint<Fields> | null

/** Returns a value's plain text. Empty for JSON, which programs usually write, so hints do not apply to it. */
export const plainText = ({ kind, text }: TextOrJson): string => (kind === "text" ? text : "")

const TWO_MARKS = /\?[^?\w]*\w[^?]*\?/
const TWO_VERBS =
  /\b(and|or)\s+(also\s+)?(is|are|was|were|does|do|did|has|have|can|should|will|how|what|which|who|when|why)\b/i
const BOTH = /\b(and\/or|as well as)\b/i

/** Finds two questions in one. */
export const doubleQuestion: HintRule = ({ instructions }) => {
  const text = plainText(instructions)
  if (!TWO_MARKS.test(text) && !TWO_VERBS.test(text) && !BOTH.test(text)) return null
  return {
    rule: "double",
    message: "This asks two questions, but returns one answer. Split it: a second question costs only its own tokens.",
  }
}

const COUNTING =
  /\b(how many|how often|count|number of|(?:more|less|fewer) than \d+|at least \d+|at most \d+|sum of|total of|average)\b/i
const DATES =
  /\b(how (?:long ago|old)|days? (?:ago|until|since|between)|(?:before|after|since|until) \d+|overdue|which (?:day|date|week))\b/i

/** Finds questions about numbers and dates, which models answer badly. */
export const countingQuestion: HintRule = ({ instructions }) => {
  const text = plainText(instructions)
  if (COUNTING.test(text))
    return {
      rule: "counting",
      message: "Models are bad at counting and adding. Calculate the number yourself and include it in the state.",
    }
  if (DATES.test(text))
    return {
      rule: "dates",
      message: "Models do not know today's date. Include it in the state, or better, the difference in days.",
    }
  return null
}

export const noInstructions: HintRule = ({ instructions }) =>
  isBlank(instructions) ? { rule: "no-instructions", message: "Add instructions. One sentence is enough." } : null
