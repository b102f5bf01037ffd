import { allowedErrors, RISK } from "./binomial"
import type { CoveragePoint } from "./coverage"

/** Why no step is certified. `few`: no error at all would still be too little evidence. `surest`: the surest answers are wrong too often. */
export type WalkFault = "few" | "surest"

/** The certified step of a curve: rows down to it are decided, and at most the target of these is wrong. */
export type WalkResult = { at: number } | { fault: WalkFault }

export interface WalkOptions {
  /** The chance that the claim is wrong, shared evenly by all starts. */
  risk?: number
  /** Also starts at half of the rows, which passes when only the surest few rows are bad. */
  fromHalf?: boolean
}

/**
 * Tests the steps of a curve from the surest rows on, and returns the furthest step before the first that fails. A step passes
 * when its errors are at most `allowedErrors` at the target. All rows choose and prove: no half is set apart.
 *
 * Learn then Test by fixed sequences (Angelopoulos, Bates, Candès, Jordan and Lei, 2021) with several starts (Bauer, 1991).
 * Exact when the error never falls as the threshold falls; otherwise simulated (docs/decisions/0055).
 */
export function walkCurve(
  curve: readonly CoveragePoint[],
  target: number,
  { risk = RISK, fromHalf = false }: WalkOptions = {},
): WalkResult {
  const rows = curve.at(-1)?.decided ?? 0
  const allowed = allowedErrors(rows, target, fromHalf ? risk / 2 : risk)
  const passes = (at: number) => {
    const point = curve[at]
    return point !== undefined && point.wrong <= (allowed[point.decided] ?? -1)
  }
  const first = curve.findIndex(({ decided }) => (allowed[decided] ?? -1) >= 0)
  if (first < 0) return { fault: "few" }
  const starts = fromHalf ? [first, curve.findIndex(({ decided }) => decided >= Math.ceil(rows / 2))] : [first]
  const ends = starts.map((start) => {
    let at = start
    while (passes(at)) at++
    return at > start ? at - 1 : -1
  })
  const at = Math.max(...ends)
  return at < 0 ? { fault: "surest" } : { at }
}
