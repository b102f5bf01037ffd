import { seededRandom } from "@/lib/shared/statistics/random"
import type { DataRow, EvaluationSet } from "../rows/evaluation-set"
import { stateOf } from "../rows/read-rows"
import { type RobustnessCheck, variantRow } from "./evaluation-run"
import { partsOf } from "./parts"

/** Fixed, so that a check of the same set asks about the same rows. */
const SAMPLE_SEED = 1

/** Draws rows without replacement, in the order of the file. */
export function sampleRows(usable: readonly number[], count: number): number[] {
  const pool = [...usable]
  const random = seededRandom(SAMPLE_SEED)
  const size = Math.min(count, pool.length)
  for (let at = 0; at < size; at++) {
    const other = at + random.below(pool.length - at)
    const [a = 0, b = 0] = [pool[at], pool[other]]
    pool[at] = b
    pool[other] = a
  }
  return pool.slice(0, size).sort((a, b) => a - b)
}

export interface PlannedRobustness {
  /** `variantRow`s: each row as it is, then its variants. */
  rows: number[]
  /** How many rows have no variants: their state has fewer than two parts, or no check is chosen. */
  leftOut: number
}

/** Returns what a robustness check asks about the rows of a sample. */
export function planRobustness(
  set: Pick<EvaluationSet, "columns" | "source" | "mapping">,
  rows: readonly DataRow[],
  robustness: RobustnessCheck,
  sample: readonly number[],
): PlannedRobustness {
  const variantsOf = (row: number): number => {
    if (robustness.kind === "stability") return robustness.checks.length
    const data = rows[row]
    const state = data && stateOf(set, set.mapping, data)
    return state ? partsOf(state).parts.length : 0
  }
  const planned = sample.map((row) => ({ row, variants: variantsOf(row) }))
  return {
    rows: planned.flatMap(({ row, variants }) =>
      variants === 0 ? [] : Array.from({ length: variants + 1 }, (_, variant) => variantRow(row, variant)),
    ),
    leftOut: planned.filter(({ variants }) => variants === 0).length,
  }
}
