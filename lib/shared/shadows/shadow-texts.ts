import { formatCount } from "@/lib/shared/format"
import type { ShadowQuestions } from "./shadow-report"

/** Formats a share from 0 to 1, such as `2.1%`. */
export const shareText = (share: number, decimals = 2): string => `${Number((share * 100).toFixed(decimals))}%`

/** Formats the share of the requests that a shadow takes, which may be as small as 0.0001%. */
export const takenText = (share: number): string => shareText(share, 4)

/** Returns how the questions of a shadow compare, as text. */
export const questionsText = ({ compared, changed, interval, meanDistance }: ShadowQuestions) => ({
  compared: formatCount(compared),
  changed: shareText(changed / compared),
  interval: `${shareText(interval.low)} to ${shareText(interval.high)}`,
  mean: meanDistance.toFixed(3),
})
