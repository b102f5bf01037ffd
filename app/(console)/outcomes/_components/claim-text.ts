import type { OutcomeAlarm } from "@/lib/server/outcomes/outcome-alarms"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import type { SideName } from "@/lib/shared/outcomes/sides"

/** Names the answers of a side. */
export const nameOfSide = (side: SideName, isNoul: boolean): string =>
  isNoul ? (side === "above" ? "Automatic yes" : "Automatic no") : "Accepted"

/** Returns what an alarm tests. */
export function claimOf({ claim, threshold, target }: OutcomeAlarm, isNoul: boolean): string {
  if (claim === "calibration" || threshold === null || target === null)
    return "Predictions come true as often as they say"
  const side = claim === "below" ? "below" : "from"
  return `${nameOfSide(claim, isNoul)} ${side} ${threshold}: at most ${formatShare(target)} wrong`
}

/** Returns what is at least 95% sure once an alarm fired. */
export const findingOf = ({ claim, target }: OutcomeAlarm, isNoul: boolean): string =>
  claim === "calibration" || target === null
    ? "The predictions did not come true as often as they said"
    : `${nameOfSide(claim, isNoul)}: more than ${formatShare(target)} were wrong`
