/** A member's progress. A completed step stays completed: a revoked key counts too. */
export interface FirstSteps {
  keyCreated: boolean
  decisionSent: boolean
  answerRead: boolean
  /** The member hid them. They are still under `/start`. */
  isHidden: boolean
}

export const STEP_NAMES = ["keyCreated", "decisionSent", "answerRead"] as const
export type StepName = (typeof STEP_NAMES)[number]

/** Returns the number of completed steps. */
export const countDone = (steps: FirstSteps): number => STEP_NAMES.filter((name) => steps[name]).length
