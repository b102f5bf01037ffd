import type { Acceptance } from "@/lib/shared/export-code/export-test"
import type { LiveRule } from "./live-figures"

/** The accepted error rate of each side unless another is chosen. */
export const DEFAULT_TARGET = 0.05

/** Returns a share in percent, without the digits that binary fractions add. */
export const percentOf = (share: number): number => Number((share * 100).toPrecision(12))

const percentField = (target: number): string | undefined =>
  target === DEFAULT_TARGET ? undefined : String(percentOf(target))
const numberField = (value: number | null): string | undefined => (value === null ? undefined : String(value))

/** Returns what the address of the page of outcomes says about thresholds and targets. Defaults are undefined. */
export const ruleFields = ({ from, below, targetAbove, targetBelow }: LiveRule) => ({
  yes: numberField(from),
  no: numberField(below),
  wrong: percentField(targetAbove),
  wrong_no: percentField(targetBelow),
})

/** Returns the fields that are set. */
export const setFields = (fields: Record<string, string | undefined>): [string, string][] =>
  Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)

/**
 * Returns the address that compares outcomes of a question with the threshold that was accepted for it, and with its proved targets.
 * Null for one that the page cannot apply: a threshold for each option, or none.
 */
export function addressOfAcceptance(
  { question, band, options, maxWrongOfAutomatic, maxWrongOfYes, maxWrongOfNo }: Acceptance,
  { type, model }: { type: string; model: string },
): string | null {
  if (options || !band) return null
  const all = maxWrongOfAutomatic ?? DEFAULT_TARGET
  const rule = {
    from: band.high,
    below: type === "noul" ? band.low : null,
    targetAbove: maxWrongOfYes ?? all,
    targetBelow: maxWrongOfNo ?? all,
  }
  return `/outcomes?${new URLSearchParams(setFields({ question, type, model, ...ruleFields(rule) }))}`
}
