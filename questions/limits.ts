/** Ceilings that no model may exceed (spec.md, "Request limits"). Name lengths are in code points. */
export const CEILINGS = {
  questions: 128,
  questionName: 64,
  options: 255,
  optionName: 128,
  levels: 10,
  bodyBytes: 29_360_128,
} as const

/** The regular expression of a question's name, for documents too. */
export const QUESTION_NAME = `^[A-Za-z0-9_-]{1,${CEILINGS.questionName}}$`

/** One model's own limits per request. Each is at most the ceiling of the same name. */
export interface ShapeLimits {
  maxQuestions: number
  maxOptions: number
  maxLevels: number
}

/** The limits of a model that takes whatever the ceilings allow. */
export const WIDEST: ShapeLimits = {
  maxQuestions: CEILINGS.questions,
  maxOptions: CEILINGS.options,
  maxLevels: CEILINGS.levels,
}
