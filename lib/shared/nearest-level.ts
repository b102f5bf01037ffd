/**
 * Returns the level that a score stands for: the nearest one. A half is rounded up. Labels are compared with this level and not
 * with the most likely one, because the API's answer is the average of the levels: with 45%, 10% and 45%, that is level 1.
 */
export const nearestLevel = (score: number): number => Math.round(score)
