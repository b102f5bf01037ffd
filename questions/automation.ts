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
   * Returns the threshold of answers that were evaluated to be right often enough from this probability up: that of the most likely
   * outcome, or that of the outcomes near the score. Its number stays the same, because that is what was proved.
   */
  thresholdFrom(probability: number): { probability: number } | { within: number }
  /** Returns the option that the answer names, with its probability. Present when options can have a threshold each. */
  optionShare?(chart: Chart): { option: string; share: Share } | null
  /** Returns the probability of the levels at most one away from the score. Present when a threshold can be for it. */
  withinShare?(chart: Chart): Share
}
