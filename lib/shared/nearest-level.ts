/**
 * Returns the level that a score stands for: the nearest one. A half is rounded up. Labels are compared with it, not with the most
 * likely level, because the API's answer is the average of the levels. With 45%, 10% and 45%, that is level 1.
 */
export const nearestLevel = (score: number): number => Math.round(score)
