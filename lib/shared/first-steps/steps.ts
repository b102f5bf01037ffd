/** The first steps that a member has completed. A completed step stays completed, even if the key is revoked. */
export interface FirstSteps {
  keyCreated: boolean
  decisionSent: boolean
  answerRead: boolean
  /** The member hid the steps from the menu. `/start` still shows them. */
  isHidden: boolean
}

export const STEP_NAMES = ["keyCreated", "decisionSent", "answerRead"] as const
export type StepName = (typeof STEP_NAMES)[number]

/** Returns how many of the three steps are done. */
export const countDone = (steps: FirstSteps): number => STEP_NAMES.filter((name) => steps[name]).length
