import { v5 as markFrom } from "uuid"
import type { Acceptance, AcceptedProof } from "@/lib/shared/export-code/export-test"
import { meanInterval, RISK, upperBound, wilsonInterval } from "@/lib/shared/statistics/binomial"
import { absoluteErrors } from "@/lib/shared/statistics/classes"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import type { AnsweredRows } from "../figures/answered-rows"
import { SPLIT_SEED } from "../figures/answered-rows"
import type { Automation, Subject } from "../figures/automation"
import type { Answered } from "../figures/evaluation-figures"
import { scored } from "../figures/ordinal-figures"

/** Returns the lower end of a share's 95% interval, rounded down to percent, so that chance hardly goes below it. */
export const shareWithRoom = (count: number, rows: number): number =>
  Math.floor((wilsonInterval(count, rows)?.low ?? 0) * 100) / 100

/** Returns the upper end of the 95% interval of scores' mean error, in levels, rounded up to two decimals. Null for other questions. */
export function meanErrorWithRoom(question: CheckedQuestion, answered: Answered): number | null {
  if (typeOf(question).scale !== "ordinal") return null
  const interval = meanInterval(absoluteErrors(scored(answered)))
  return interval && Math.ceil(interval.high * 100) / 100
}

const NAMESPACE = "6f1c6d5e-2a9a-4c53-9d53-0c8f2f9f4b11"

/** Returns a mark of which rows counted and with which labels. Another mark: rows or labels have changed since. */
export function rowsMark({ rows }: Pick<AnsweredRows, "rows">): string {
  const numbers = Uint32Array.from(rows.flatMap(({ row, label }) => [row, label]))
  return markFrom(new Uint8Array(numbers.buffer), NAMESPACE)
}

/** Costs state no target. Both halves together meet the bound of the checking half, with room for chance. */
function boundOfHalves({ counts, halves }: Automation): number | null {
  if (!halves || counts.automatic === 0) return null
  const { checked } = halves
  return Math.max(checked.automatic > 0 ? checked.errorBound : 0, upperBound(counts.wrong, counts.automatic))
}

/**
 * Returns what the user accepts with a rule for automatic answers. The limits of the exported test are the targets that were
 * proved, or the bound of a rule that costs chose.
 */
export function acceptanceOf(
  question: CheckedQuestion,
  automation: Automation,
  answered: AnsweredRows,
  { acceptedAt, doubts }: Pick<AcceptedProof, "acceptedAt" | "doubts">,
): Acceptance {
  const { band, options, claims, counts } = automation
  const limitOf = (subject: Subject) => claims.find((claim) => claim.subject === subject)?.target ?? null
  return {
    question: question.name,
    band: band.low === null && band.high === null ? null : band,
    ...(options && { options, maxWrongOfOption: limitOf("option") }),
    minAccuracy: null,
    maxWrongOfAutomatic: claims.length > 0 ? (limitOf("all") ?? limitOf("within")) : boundOfHalves(automation),
    maxWrongOfYes: limitOf("yes"),
    maxWrongOfNo: limitOf("no"),
    minAutomatic: shareWithRoom(counts.automatic, counts.rows),
    maxMeanError: meanErrorWithRoom(question, answered),
    proof: { acceptedAt, doubts, mark: rowsMark(answered), rows: counts.rows, risk: RISK, seed: SPLIT_SEED, claims },
  }
}
