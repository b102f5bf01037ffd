import { foldedName } from "@/questions/outcomes"
import type { Columns, DataRow } from "./evaluation-set"
import { isMissing } from "./read-label"
import { cellText } from "./read-rows"

/** A text of a column. Spellings that differ only in case, white space or Unicode composition are one value. */
export interface ColumnValue {
  /** The most frequent spelling. */
  text: string
  count: number
}

/** The different values of a column over all rows, in the order of the file. Null for more than any list of answers has. */
export type ColumnValues = ColumnValue[] | null

/** More than any question has outcomes, in several spellings each. */
const MAX_SPELLINGS = 2_000

function spellingsOf(set: Columns, rows: readonly DataRow[], column: string): Map<string, number> | null {
  const at = set.columns.indexOf(column)
  // Cells repeat, so each different one is read once.
  const cells = new Map<string, { count: number; row: DataRow }>()
  for (const row of rows) {
    const cell = row.cells[at] ?? ""
    const known = cells.get(cell)
    if (known) known.count += 1
    else if (cells.size === MAX_SPELLINGS) return null
    else cells.set(cell, { count: 1, row })
  }
  const spellings = new Map<string, number>()
  for (const { count, row } of cells.values()) {
    const text = cellText(set, row, at).normalize("NFC").trim()
    if (!isMissing(text)) spellings.set(text, (spellings.get(text) ?? 0) + count)
  }
  return spellings
}

/** Returns the different values of a column. Missing values are none of them. */
export function columnValues(set: Columns, rows: readonly DataRow[], column: string): ColumnValues {
  const spellings = spellingsOf(set, rows, column)
  if (!spellings) return null
  const values = new Map<string, ColumnValue & { most: number }>()
  for (const [text, count] of spellings) {
    const value = values.get(foldedName(text))
    if (!value) values.set(foldedName(text), { text, count, most: count })
    else {
      value.count += count
      if (count > value.most) Object.assign(value, { text, most: count })
    }
  }
  return [...values.values()].map(({ text, count }) => ({ text, count }))
}
