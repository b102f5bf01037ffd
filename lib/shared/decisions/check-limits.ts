import type { CheckedRequest } from "./check"
import { criteriaOf, type Refusal } from "./refusal"

/** What no model may exceed (spec.md, "Request limits"). Names are counted in code points. */
export const CEILINGS = {
  questions: 128,
  questionName: 64,
  options: 255,
  optionName: 128,
  levels: 10,
  bodyBytes: 29_360_128,
} as const

/** How much a model takes in one request. */
export interface ShapeLimits {
  maxQuestions: number
  maxOptions: number
  maxLevels: number
}

/** The first limit of a model's own that a request is over, in request order, or null. */
export function checkModelLimits(request: CheckedRequest, limits: ShapeLimits): Refusal | null {
  if (request.questions.length > limits.maxQuestions)
    return { param: "questions", message: `This model takes at most ${limits.maxQuestions} questions in a request.` }
  for (const question of request.questions) {
    const param = criteriaOf(question.name)
    if (question.type === "choice" && question.options.length > limits.maxOptions)
      return { param, message: `This model takes at most ${limits.maxOptions} options in a choice question.` }
    if (question.type === "score" && question.levels.length > limits.maxLevels)
      return { param, message: `This model takes at most ${limits.maxLevels} levels in a score question.` }
  }
  return null
}
