import { ServiceError } from "@/lib/shared/errors"

export const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, value))

/** The probability from which on the answer is yes. */
export const YES_FROM = 0.5

/** Returns the average of the levels, weighted by their probabilities. */
export const meanLevel = (probabilities: number[]): number =>
  clamp(
    probabilities.reduce((sum, p, i) => sum + i * p, 0),
    probabilities.length - 1,
  )

/** Returns the index of the largest probability; the first one in a tie. */
export function mostLikely(probabilities: readonly number[]): number {
  let best = 0
  for (let i = 1; i < probabilities.length; i++) if ((probabilities[i] ?? 0) > (probabilities[best] ?? 0)) best = i
  return best
}

/** Returns the probability of the levels at most one away from a level. Adds in the order of the levels, as exported code does. */
export function nearProbability(probabilities: readonly number[], level: number): number {
  let sum = 0
  for (const [at, p] of probabilities.entries()) if (Math.abs(at - level) <= 1) sum += p
  return sum
}

/** Scales `probabilities` to sum 1. Throws `upstream_error` unless there are `length` of them with a positive, finite sum. */
export function normalise(probabilities: number[], length: number): number[] {
  const sum = probabilities.reduce((total, p) => total + p, 0)
  if (probabilities.length !== length || !(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw new ServiceError("upstream_error")
  return probabilities.map((p) => clamp(p / sum, 1))
}
