import { foldedName } from "@/questions/outcomes"
import type { Columns, DataRow } from "./evaluation-set"
import { isMissing } from "./read-label"
import { cellText } from "./read-rows"

/**
 * Returns what reads a row's value in a column. Spellings that differ only in case, white space or Unicode composition are one value,
 * in its first spelling. Null: the row has none, or the set has no such column.
 */
export function sliceReader(set: Columns, column: string): (row: DataRow | undefined) => string | null {
  const at = set.columns.indexOf(column)
  const [byCell, byName] = [new Map<string, string | null>(), new Map<string, string>()]
  return (row) => {
    if (at < 0 || !row) return null
    const cell = row.cells[at] ?? ""
    const known = byCell.get(cell)
    if (known !== undefined) return known
    const text = cellText(set, row, at).normalize("NFC").trim()
    const value = isMissing(text) ? null : (byName.get(foldedName(text)) ?? text)
    if (value !== null) byName.set(foldedName(text), value)
    byCell.set(cell, value)
    return value
  }
}
