import Papa from "papaparse"
import { fromCsvText } from "@/lib/shared/csv"
import { countOf } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { BadFile } from "./bad-file"
import type { Table } from "./evaluation-set"
import type { RowSample } from "./row-sample"
import { addRow, requireUsable } from "./table"

/** Text is parsed in pieces of this length, so that a file with too many rows is refused early. */
const PIECE_LENGTH = 1_000_000

const NAMED_DELIMITER = /^"?sep=([^"\n])"?\n/i

const linesOf = (cells: string[]): number => cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 1)

function headerOf(cells: string[]): string[] {
  const columns = cells.map((cell, at) => cell.trim() || `column ${at + 1}`)
  const twice = columns.find((column, at) => columns.indexOf(column) < at)
  if (twice !== undefined)
    throw new BadFile(`Two columns are named “${shortText(twice)}”. Rename one of them in the file, and open it again.`)
  return columns
}

/** Lines after the quote may have become part of its row, so the message says how far the row reaches. */
const quoteFault = (from: number, to: number): string =>
  `A quote inside a quoted cell is not doubled.${from === to ? "" : ` Lines ${from} to ${to} were read as one row.`}`

/** Reads the rows of a CSV text piece by piece. */
class CsvReader {
  readonly table: Table = { format: "csv", columns: [], rows: [], unreadable: [] }
  #parser: Papa.Parser | null = null
  #rest = ""
  #line = 1

  constructor(private readonly sample: RowSample | null) {}

  /** Parses the complete rows of the text so far; all of them when it is the last piece. */
  push(text: string, isLast: boolean): void {
    this.#rest += text
    this.#parser ??= new Papa.Parser({
      delimiter: this.#takeNamedDelimiter() ?? delimiterOf(this.#rest),
      newline: "\n",
    })
    const { data, errors, meta } = this.#parser.parse(this.#rest, 0, !isLast) as Papa.ParseResult<string[]>
    const faults = new Map(errors.map(({ row, code }) => [row, code]))
    data.forEach((cells, at) => {
      this.#add(cells, faults.get(at))
    })
    this.#rest = isLast ? "" : this.#rest.slice(meta.cursor)
  }

  /** Returns the length of the text that waits for the rest of its row. */
  get waiting(): number {
    return this.#rest.length
  }

  /** Removes the line `sep=;`, with which spreadsheets name the delimiter, and returns the delimiter. Null without that line. */
  #takeNamedDelimiter(): string | null {
    const [line = "", delimiter = null] = NAMED_DELIMITER.exec(this.#rest) ?? []
    if (delimiter === null) return null
    this.#rest = this.#rest.slice(line.length)
    this.#line += 1
    return delimiter
  }

  #add(fields: string[], fault: string | undefined): void {
    const cells = fields.map(fromCsvText)
    const line = this.#line
    this.#line += linesOf(cells)
    const { columns, unreadable } = this.table
    if (fault === "MissingQuotes")
      throw new BadFile(`A quote that opens in line ${line} is never closed. Close it in the file, and open it again.`)
    const isBlank = cells.length === 1 && cells[0]?.trim() === ""
    if (isBlank) return
    if (columns.length === 0) return void columns.push(...headerOf(cells))
    if (fault) unreadable.push({ line, reason: quoteFault(line, this.#line - 1) })
    else if (cells.length === columns.length) addRow(this.table, line, cells, this.sample)
    else
      unreadable.push({
        line,
        reason: `It has ${countOf(cells.length, "cell")}, and the header has ${columns.length}.`,
      })
  }
}

/** Guesses the delimiter from the first lines. A file with one column has none, and then a comma does no harm. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 100_000)
  return Papa.parse(head, { preview: 20, newline: "\n", skipEmptyLines: "greedy" }).meta.delimiter || ","
}

/** Reads a CSV file, whose delimiter it guesses. Throws `BadFile`. */
export async function readCsv(texts: AsyncIterable<string>, sample: RowSample | null): Promise<Table> {
  const reader = new CsvReader(sample)
  let text = ""
  for await (const piece of texts) {
    text += piece
    // A long cell is parsed again from its start with each piece, so the pieces grow with it.
    if (text.length < Math.max(PIECE_LENGTH, reader.waiting)) continue
    reader.push(text, false)
    text = ""
  }
  reader.push(text, true)
  return requireUsable(reader.table)
}
