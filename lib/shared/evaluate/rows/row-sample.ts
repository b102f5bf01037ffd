import { formatCount } from "@/lib/shared/format"
import { seededRandom } from "@/lib/shared/statistics/random"
import { MAX_FILE_BYTES } from "./bad-file"
import { type DataRow, MAX_ROWS, type Table } from "./evaluation-set"

/** Fixed, so that the same file gives the same sample. */
const SAMPLE_SEED = 1

/** Draws rows from a file of any length, each with the same chance (Vitter, 1985, algorithm R). */
export class RowSample {
  readonly #random = seededRandom(SAMPLE_SEED)
  #seen = 0

  constructor(readonly size: number) {}

  /** Keeps a row, in place of another one when the sample is full, or not. */
  add(rows: DataRow[], row: DataRow): void {
    const index = this.#seen++
    const place = index < this.size ? index : this.#random.below(index + 1)
    if (place < this.size) rows[place] = { ...row, index }
  }

  /** Returns the sample in the order of the file. Its source says what was drawn. */
  finish(table: Table): Table {
    const rows = table.rows.toSorted((a, b) => a.index - b.index).map((row, index) => ({ ...row, index }))
    const drawn = `a random sample of its ${formatCount(this.#seen)} rows, drawn by seed ${SAMPLE_SEED}`
    return this.#seen > rows.length ? { ...table, rows, drawn } : table
  }
}

/** Returns how many rows to draw from a file: a set's maximum, or fewer of a file with more bytes than a set may have. */
export const sampleSize = (fileBytes: number): number =>
  Math.max(1_000, Math.floor(MAX_ROWS * Math.min(1, MAX_FILE_BYTES / fileBytes)))
