/** What an alarm tests: the error rate of the answers above or below a threshold, or whether predictions come true. */
export const OUTCOME_CLAIMS = ["above", "below", "calibration"] as const
export type OutcomeClaim = (typeof OUTCOME_CLAIMS)[number]
