import type { JsonText } from "@/lib/shared/json/text"

export { CEILINGS, checkModelLimits, type ShapeLimits } from "./check-limits"
export { type CheckResult, checkRequest } from "./check-request"

/** A request that passed step 3 (shape and global limits). Names are unique, in request order; null is "absent or null". */
export interface CheckedRequest {
  model: string
  state: JsonText
  questions: CheckedQuestion[]
}

export type CheckedQuestion = NoulQuestion | ChoiceQuestion | ScoreQuestion

export interface NoulQuestion {
  type: "noul"
  name: string
  instructions: JsonText | null
  /** Null when `criteria` is absent; a missing or null description is null. */
  criteria: { yes: JsonText | null; no: JsonText | null } | null
}

export interface ChoiceQuestion {
  type: "choice"
  name: string
  instructions: JsonText | null
  options: { name: string; description: JsonText | null }[]
}

export interface ScoreQuestion {
  type: "score"
  name: string
  instructions: JsonText | null
  levels: JsonText[]
}

/** What is billed of one question, in a fixed order. Option names are strings, the rest `JsonText`. */
export function questionTexts(question: CheckedQuestion): (JsonText | string)[] {
  const texts: (JsonText | string)[] = []
  const add = (text: JsonText | null) => {
    if (text) texts.push(text)
  }
  add(question.instructions)
  if (question.type === "noul" && question.criteria) {
    add(question.criteria.yes)
    add(question.criteria.no)
  } else if (question.type === "choice") {
    for (const option of question.options) {
      texts.push(option.name)
      add(option.description)
    }
  } else if (question.type === "score") question.levels.forEach(add)
  return texts
}

/** Everything that is billed, in a fixed order (docs/decisions/0007): the state once, then question by question. */
export const billedTexts = (request: CheckedRequest): (JsonText | string)[] => [
  request.state,
  ...request.questions.flatMap(questionTexts),
]
