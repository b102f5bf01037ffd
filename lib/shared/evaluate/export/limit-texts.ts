import type { Acceptance, AcceptedClaim } from "@/lib/shared/export-code/export-test"
import { formatPercent } from "@/questions/display"
import { formatBound } from "../figures/automation"

/** Below or above which figures the exported test fails. */
export type Limits = Pick<Acceptance, "minAccuracy" | "maxWrongOfAutomatic" | "minAutomatic" | "maxMeanError">

/** Describes limits. Claims replace the one on wrong automatic answers. */
export function limitTexts(
  { minAccuracy, maxWrongOfAutomatic, minAutomatic, maxMeanError }: Limits,
  claims: readonly AcceptedClaim[],
): string[] {
  const maxWrong = claims.length > 0 ? null : maxWrongOfAutomatic
  return [
    ...(minAccuracy === null ? [] : [`Accuracy of at least ${formatPercent(minAccuracy)}`]),
    ...(maxWrong === null ? [] : [`At most ${formatBound(maxWrong)} of the automatic answers wrong`]),
    ...(minAutomatic === null ? [] : [`At least ${formatPercent(minAutomatic)} answered automatically`]),
    ...(maxMeanError === null
      ? []
      : [`A mean error of at most ${maxMeanError} ${maxMeanError === 1 ? "level" : "levels"}`]),
  ]
}
