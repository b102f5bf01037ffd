import { formatCount } from "@/lib/shared/format"
import { BadFile, MAX_CELL_LENGTH, MAX_COLUMN_NAME, MAX_COLUMNS } from "./bad-file"
import { MAX_ROWS, type Table } from "./evaluation-set"

/** Adds a row or, when a cell is too long, the reason why it was left out. Throws `BadFile` for one row too many. */
export function addRow({ columns, rows, unreadable }: Table, line: number, cells: string[]): void {
  if (rows.length + unreadable.length >= MAX_ROWS)
    throw new BadFile(
      `The file has more than ${formatCount(MAX_ROWS)} rows, the maximum of a set. Split it, or open a sample of it.`,
    )
  const long = cells.findIndex((cell) => cell.length > MAX_CELL_LENGTH)
  if (long < 0) return void rows.push({ index: rows.length, line, cells })
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
