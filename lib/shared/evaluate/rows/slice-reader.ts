import { foldedName } from "@/questions/outcomes"
import type { Columns, DataRow } from "./evaluation-set"
import { isMissingName } from "./read-label"
import { cellText } from "./read-rows"

/** A longer text is no value. A column of 20,000 long texts would otherwise hold up the page. */
export const MAX_VALUE = 200
/** The longest JSON source of such a value: each character may be an escape of six. */
const MAX_CELL = 6 * MAX_VALUE + 2

/**
 * Returns what reads a row's value in a column. Spellings that differ only in case, white space or Unicode composition are one value,
 * in its first spelling. Null: the row has none or one longer than `MAX_VALUE`, or the set has no such column.
 */
export function sliceReader(set: Columns, column: string): (row: DataRow | undefined) => string | null {
  const at = set.columns.indexOf(column)
  const [byCell, byName] = [new Map<string, string | null>(), new Map<string, string>()]
  return (row) => {
    if (at < 0 || !row) return null
    const cell = row.cells[at] ?? ""
    if (cell.length > MAX_CELL) return null
    const known = byCell.get(cell)
    if (known !== undefined) return known
    const text = cellText(set, row, at).normalize("NFC").trim()
    const name = text.length > MAX_VALUE ? null : foldedName(text)
    const value = name === null || isMissingName(name) ? null : (byName.get(name) ?? text)
    if (name !== null && value !== null) byName.set(name, value)
    byCell.set(cell, value)
    return value
  }
}
