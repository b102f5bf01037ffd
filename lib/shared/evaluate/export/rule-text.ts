import type { Acceptance } from "@/lib/shared/export-code/export-test"
import type { Scale } from "@/questions/question-type"

/** The probability that a threshold is for. */
const SHARES: Record<Scale, string> = {
  binary: "the probability of yes",
  nominal: "the probability of the most likely option",
  ordinal: "the probability of the levels at most one away from the rounded score",
}

/** Describes an accepted rule with all digits of its thresholds, what each does and for which probability: "no below 0.3". */
export function ruleText(scale: Scale, { low, high }: NonNullable<Acceptance["band"]>): string {
  const yes = scale === "binary" ? "yes from" : "from"
  const parts = [...(low === null ? [] : [`no below ${low}`]), ...(high === null ? [] : [`${yes} ${high} up`])]
  return `automatic ${parts.join(" and ")}, by ${SHARES[scale]}`
}
