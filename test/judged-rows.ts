import type { JudgedRow } from "@/lib/shared/evaluate/figures/judged-rows"

/** Returns labelled rows with these probabilities. */
export const judgedRowsOf = (rows: [label: number, ...probabilities: number[]][]): JudgedRow[] =>
  rows.map(([label, ...probabilities], row) => {
    return { row, line: row + 2, state: '"s"', label, isCorrected: false, probabilities }
  })

/** Returns labelled rows with these probabilities of yes. */
export const judgedNouls = (rows: [label: number, yes: number][]): JudgedRow[] =>
  judgedRowsOf(rows.map(([label, yes]) => [label, 1 - yes, yes]))
