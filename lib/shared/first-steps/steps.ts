/** A member's progress. A completed step stays completed: a revoked key counts too. */
export interface FirstSteps {
  keyCreated: boolean
  decisionSent: boolean
  answerRead: boolean
  /** True when the member hid the steps. */
  isHidden: boolean
}

export const STEP_NAMES = ["keyCreated", "decisionSent", "answerRead"] as const
export type StepName = (typeof STEP_NAMES)[number]

export const countDone = (steps: FirstSteps): number => STEP_NAMES.filter((name) => steps[name]).length
