import { foldedName } from "@/questions/outcomes"
import type { CheckedQuestion } from "@/questions/question-types"
import { columnValues } from "./column-values"
import type { Columns, DataRow, EvaluationSet, Table } from "./evaluation-set"
import { fittingColumns } from "./guess-labels"
import { isMissing } from "./read-label"
import { cellText } from "./read-rows"

/** How the rows of a file belong to those of a set. */
export interface JoinKey {
  /** A column of the set and one of the file with equal values. */
  own: string
  other: string
}

/** The labels of a file by the rows of a set, and what did not match. Lines count from 1, in their own file. */
export interface JoinedLabels {
  /** The text for each row of the set; empty without a label. */
  texts: string[]
  /** The rows of the set that have a label now. */
  matched: number
  /** Lines of the set that no row of the file belongs to. */
  missing: number[]
  /** Lines of the set whose row in the file has no label. */
  empty: number[]
  /** Lines of the file that belong to no row of the set. */
  unused: number[]
  /** Lines of the file whose rows have one key and different labels. None of them counts. */
  conflicting: number[]
}

type Set = Columns & Pick<EvaluationSet, "unreadable">
type Rows = { set: Set; rows: readonly DataRow[] }

const keyOf = (text: string): string => text.normalize("NFC").trim()

/** Numbers all rows of a file in their order, also those that could not be read. Returns the number of each line. */
function placesOf({ set, rows }: Rows): Map<number, number> {
  const lines = [...rows, ...set.unreadable].map(({ line }) => line).sort((a, b) => a - b)
  return new Map(lines.map((line, place) => [line, place]))
}

/** Returns what reads the key of a row. Without a key, it is the row's place in its file. */
function keyReader(of: Rows, column: string | null): (row: DataRow) => string {
  if (column !== null) {
    const at = of.set.columns.indexOf(column)
    return (row) => keyOf(cellText(of.set, row, at))
  }
  const places = placesOf(of)
  return ({ line }) => String(places.get(line))
}

interface Labelled {
  text: string
  lines: number[]
  isConflict: boolean
}

/** Returns the label of each key of a file. Rows without a key belong to no row. */
function labelsByKey(file: Rows, key: JoinKey | null, column: string): Map<string, Labelled> {
  const readKey = keyReader(file, key?.other ?? null)
  const at = file.set.columns.indexOf(column)
  const labels = new Map<string, Labelled>()
  for (const row of file.rows) {
    const [name, text] = [readKey(row), cellText(file.set, row, at).trim()]
    const known = labels.get(name)
    if (!known) {
      labels.set(name, { text, lines: [row.line], isConflict: false })
      continue
    }
    known.lines.push(row.line)
    if (isMissing(known.text)) known.text = text
    else known.isConflict ||= !isMissing(text) && foldedName(known.text) !== foldedName(text)
  }
  return labels
}

/** Joins a column of labels of a file to the rows of a set, by a key or by the order of the rows. */
export function joinLabels(own: Rows, file: Table, key: JoinKey | null, column: string): JoinedLabels {
  const other = { set: { ...file, source: { format: file.format, name: "" } }, rows: file.rows }
  const labels = labelsByKey(other, key, column)
  const readKey = keyReader(own, key?.own ?? null)
  const joined: JoinedLabels = { texts: [], matched: 0, missing: [], empty: [], unused: [], conflicting: [] }
  const used = new Set<string>()
  for (const row of own.rows) {
    const name = readKey(row)
    const label = name === "" ? undefined : labels.get(name)
    if (label) used.add(name)
    const text = label && !label.isConflict ? label.text : ""
    joined.texts.push(text)
    if (!isMissing(text)) joined.matched += 1
    else if (!label) joined.missing.push(row.line)
    else if (!label.isConflict) joined.empty.push(row.line)
  }
  for (const [name, { lines, isConflict }] of labels) {
    if (!used.has(name)) joined.unused.push(...lines)
    else if (isConflict) joined.conflicting.push(...lines)
  }
  return { ...joined, unused: joined.unused.sort((a, b) => a - b) }
}

/** Returns a set with a column of joined labels, and its rows. A column that was joined before under this name is replaced. */
export function withJoinedColumn(
  { set, rows }: { set: EvaluationSet; rows: readonly DataRow[] },
  name: string,
  texts: readonly string[],
): { change: Pick<EvaluationSet, "columns" | "joined">; column: string; rows: DataRow[] } {
  const { columns, joined = [], source } = set
  const isReplaced = joined.includes(name)
  const column = isReplaced ? name : freeName(name, columns)
  const at = isReplaced ? columns.indexOf(name) : columns.length
  const cellOf = (text: string) => (source.format === "csv" || text === "" ? text : JSON.stringify(text))
  const changed = rows.map((row, position) => {
    const cells = columns.map((_, other) => row.cells[other] ?? "")
    cells[at] = cellOf(texts[position] ?? "")
    return { ...row, cells }
  })
  if (isReplaced) return { change: { columns, joined }, column, rows: changed }
  return { change: { columns: [...columns, column], joined: [...joined, column] }, column, rows: changed }
}

function freeName(name: string, taken: readonly string[]): string {
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name} (${number})`
  return free
}

/** A column of labels for one question, by the rows of the set. */
export interface LabelJoin {
  question: CheckedQuestion
  /** The column's name in its file. */
  column: string
  texts: readonly string[]
}

/** Guesses which column of a file holds the labels of a question: one that fits, else the last one that is no key. */
export function joinableColumn(question: CheckedQuestion, file: Table, key: JoinKey | null): string {
  const set: Columns = { ...file, source: { format: file.format, name: "" } }
  const columns = file.columns.filter((column) => column !== key?.other)
  const fitting = fittingColumns(question, columns, (column) => columnValues(set, file.rows, column))
  const named = columns.find((column) => foldedName(column) === foldedName(question.name))
  return fitting.find((column) => column === named) ?? fitting[0] ?? named ?? columns.at(-1) ?? file.columns[0] ?? ""
}

/** Guesses how a file belongs to a set: by a column that both have, with a value of its own for most rows; else by order. */
export function guessKey(own: Rows, file: Table): JoinKey | null {
  const shared = file.columns.filter((column) => own.set.columns.includes(column))
  const other = { set: { ...file, source: { format: file.format, name: "" } }, rows: file.rows }
  const keysIn = (of: Rows, column: string) => of.rows.map(keyReader(of, column)).filter((key) => key !== "")
  const scores = shared.map((column) => {
    const ownKeys = new Set(keysIn(own, column))
    const matching = new Set(keysIn(other, column).filter((key) => ownKeys.has(key)))
    return { column, matching: matching.size }
  })
  const best = scores.sort((a, b) => b.matching - a.matching)[0]
  return best && best.matching > own.rows.length / 2 ? { own: best.column, other: best.column } : null
}
