import { formatCount } from "@/lib/shared/format"
import { BadFile, FileOverLimit, MAX_CELL_LENGTH, MAX_COLUMN_NAME, MAX_COLUMNS } from "./bad-file"
import { MAX_ROWS, type Table } from "./evaluation-set"
import type { RowSample } from "./row-sample"

/**
 * Adds a row to a table or to the sample of one. When a cell is too long, adds the reason why the row was left out. Throws
 * `FileOverLimit` for one row too many.
 */
export function addRow(table: Table, line: number, cells: string[], sample: RowSample | null): void {
  const { columns, rows, unreadable } = table
  if (unreadable.length + (sample ? 0 : rows.length) >= MAX_ROWS)
    throw new FileOverLimit(
      `The file has more than ${formatCount(MAX_ROWS)} rows, the maximum of a set. Split it, or open a sample of it.`,
    )
  const long = cells.findIndex((cell) => cell.length > MAX_CELL_LENGTH)
  if (long < 0) {
    const row = { index: rows.length, line, cells }
    if (sample) sample.add(rows, row)
    else rows.push(row)
    return
  }
  const length = formatCount(cells[long]?.length ?? 0)
  const reason = `The cell in the column “${columns[long]}” has ${length} characters. At most ${formatCount(MAX_CELL_LENGTH)} are allowed.`
  unreadable.push({ line, reason })
}

/** Throws `BadFile` for a table that cannot be evaluated. */
export function requireUsable(table: Table): Table {
  const { columns, rows, unreadable } = table
  const [first] = unreadable
  if (rows.length === 0 && first) throw new BadFile(`None of the rows can be read. Line ${first.line}: ${first.reason}`)
  if (columns.length === 0) throw new BadFile("The file is empty. Choose a file with a header and at least one row.")
  if (columns.length > MAX_COLUMNS)
    throw new BadFile(`The file has ${formatCount(columns.length)} columns. At most ${MAX_COLUMNS} are allowed.`)
  const long = columns.findIndex((name) => name.length > MAX_COLUMN_NAME)
  if (long >= 0)
    throw new BadFile(
      `The name of column ${long + 1} has ${formatCount(columns[long]?.length ?? 0)} characters. At most ${formatCount(MAX_COLUMN_NAME)} are allowed. Put a header with a short name for each column first.`,
    )
  if (rows.length === 0) throw new BadFile("The file has a header, but no rows below it.")
  return table
}
