import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { upperBound, wilsonInterval } from "@/lib/shared/statistics/binomial"
import type { Automation } from "../figures/automation"

/** Returns the lower end of a share's 95% interval, rounded down to percent, so that chance hardly goes below it. */
export const shareWithRoom = (count: number, rows: number): number =>
  Math.floor((wilsonInterval(count, rows)?.low ?? 0) * 100) / 100

/** The lowest number above every probability. */
const MOST = 1 + Number.EPSILON

/** Returns the band as numbers that can be stored. Null when nothing is automatic: a `high` above 1 is never reached. */
const storedBand = ({ low, high }: Automation["band"]): Acceptance["band"] =>
  low === 0 && high > 1 ? null : { low, high: Math.min(high, MOST) }

/**
 * Returns what the user accepts with a rule for automatic answers. The exported test asks about the rows of both halves, so
 * both halves together meet each limit with room for chance.
 */
export function acceptanceOf(question: string, { band, chosen, checked }: Automation): Acceptance {
  const automatic = chosen.automatic + checked.automatic
  return {
    question,
    band: storedBand(band),
    minAccuracy: null,
    maxWrongOfAutomatic:
      automatic > 0
        ? Math.max(checked.automatic > 0 ? checked.errorBound : 0, upperBound(chosen.wrong + checked.wrong, automatic))
        : null,
    minAutomatic: shareWithRoom(automatic, chosen.rows + checked.rows),
    maxMeanError: null,
  }
}
