/** `above`: answers that a threshold accepts, such as an automatic yes. `below`: automatic answers of no. */
export type SideName = "above" | "below"

/** Returns whether an answer is automatic, on a side with this threshold. */
export const isOnSide = (side: SideName, predicted: number, threshold: number): boolean =>
  side === "above" ? predicted >= threshold : predicted < threshold

/** Returns whether an automatic answer was wrong. */
export const isWrong = (side: SideName, happened: boolean): boolean => (side === "above") !== happened
