import type { Share } from "./display"

/**
 * How an answer becomes an action without a review. The user sets a threshold for the share that `measure` returns.
 *
 * - `band`: the probability of yes. The action is no below the band and yes from its end up.
 * - `floor`: the confidence. The answer is accepted from the threshold up.
 */
export type Automation<Chart> = BandAutomation<Chart> | FloorAutomation<Chart>

/** The member of an answer that states the share. Exported programs compare it with the threshold. */
export const SHARE_MEMBERS = { band: "noul", floor: "confidence" } as const

interface BandAutomation<Chart> {
  kind: "band"
  measure(chart: Chart): Share
}

interface FloorAutomation<Chart> {
  kind: "floor"
  measure(chart: Chart): Share
  /**
   * Returns the lowest confidence of answers whose most likely outcome has at least this probability. Null for a type whose
   * confidence does not follow from that: evaluations choose no threshold for it.
   */
  confidenceFrom: ((probability: number, outcomes: number) => number) | null
}
