import { formatCount } from "@/lib/shared/format"
import { describeEntry } from "./entries"
import type { Statement } from "./get-statement"

export interface StatementLine {
  id: string
  /** A UTC day, such as 2026-11-20. */
  day: string
  what: string
  details: string | null
  /** `top_…` of a top-up, its refund or its dispute. */
  topupId: string | null
  amountUsd: string
}

const counted = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`

/** Returns a statement's lines by day: each entry, then the sums of the day's decisions by key. */
export function statementLines({ entries, charges }: Pick<Statement, "entries" | "charges">): StatementLine[] {
  const single = entries.map((entry) => ({
    id: entry.id,
    day: entry.at.slice(0, 10),
    what: describeEntry(entry),
    details: entry.note,
    topupId: entry.topupId,
    amountUsd: entry.amountUsd,
  }))
  const summed = charges.map(({ day, keyLabel, decisions, tokens, amountUsd }, index) => ({
    id: `charges-${index}`,
    day,
    what: counted(decisions, "decision"),
    details: `${counted(tokens, "token")}, ${keyLabel}`,
    topupId: null,
    amountUsd,
  }))
  return [...single, ...summed].sort((a, b) => a.day.localeCompare(b.day))
}
