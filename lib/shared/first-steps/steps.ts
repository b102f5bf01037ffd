/** How far a member has come. A step that is done stays done: a key counts when it is revoked, too. */
export interface FirstSteps {
  keyCreated: boolean
  decisionSent: boolean
  answerRead: boolean
  /** The member put them away. They are still under `/start`. */
  isHidden: boolean
}

export const STEP_NAMES = ["keyCreated", "decisionSent", "answerRead"] as const
export type StepName = (typeof STEP_NAMES)[number]

/** How many of the three are done. */
export const countDone = (steps: FirstSteps): number => STEP_NAMES.filter((name) => steps[name]).length
