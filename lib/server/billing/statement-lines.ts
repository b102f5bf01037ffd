import { countOf } from "@/lib/shared/format"
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
    what: countOf(decisions, "decision"),
    details: `${countOf(tokens, "token")}, ${keyLabel}`,
    topupId: null,
    amountUsd,
  }))
  return [...single, ...summed].sort((a, b) => a.day.localeCompare(b.day))
}
