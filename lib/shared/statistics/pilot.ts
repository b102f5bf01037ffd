import { allowedErrors, betaBinomialCdf, RISK } from "./binomial"
import type { CoveragePoint } from "./coverage"
import type { WalkOptions } from "./walk"

/** Jeffreys' prior of a share. */
const PRIOR = 0.5

/**
 * Returns the chance that `walkCurve` certifies a threshold on `rows` rows like those of a pilot, from the pilot's curve. A walk
 * passes when its first step does. The pilot's errors down to the share of that step, or further, say how many to expect: a beta
 * distribution, so that a small pilot promises little.
 */
export function chanceToPass(
  pilot: readonly CoveragePoint[],
  rows: number,
  target: number,
  { risk = RISK, fromHalf = false }: WalkOptions = {},
): number {
  const tried = pilot.at(-1)?.decided ?? 0
  if (tried === 0) return 0
  const allowed = allowedErrors(rows, target, fromHalf ? risk / 2 : risk)
  const chanceAt = (step: number): number => {
    const reach = pilot.filter(({ decided }) => decided * rows >= step * tried)
    const chances = reach.map(({ decided, wrong }) =>
      betaBinomialCdf(allowed[step] ?? -1, step, PRIOR + wrong, PRIOR + decided - wrong),
    )
    return Math.max(0, ...chances)
  }
  const first = allowed.findIndex((errors) => errors >= 0)
  if (first < 0) return 0
  const half = Math.ceil(rows / 2)
  return Math.max(chanceAt(first), fromHalf && half >= first ? chanceAt(half) : 0)
}
