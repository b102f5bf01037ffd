import { membersOf, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { checkForm } from "@/lib/shared/request-form/check-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { jsonObject } from "@/questions/answer-text"
import type { CheckedQuestion } from "@/questions/question-types"
import type { Columns, DataRow, LabelMapping, Mapping, RowFault, StateMapping } from "./evaluation-set"
import { type ReadLabel, readLabel } from "./read-label"

/** A row that can be asked about. */
export interface UsableRow {
  index: number
  line: number
  /** JSON source. */
  state: string
  /** Per question in request order: the index of the right outcome (`Outcomes`), or null without a label. */
  labels: (number | null)[]
}

export interface ReadRows {
  usable: UsableRow[]
  /** Rows left out, in the order of the file. */
  faults: RowFault[]
}

/** Returns a form's questions as the API reads them; empty while one of them is invalid. */
export function questionsOf(form: RequestForm): CheckedQuestion[] {
  const checked = checkForm({ ...form, model: "m", state: asText("s") })
  return checked.ok ? checked.request.questions : []
}

/**
 * Returns the questions whose labels can be read: those with a name and criteria that the API accepts. Their instructions, and the
 * other questions, may still be incomplete.
 */
export function labelledQuestionsOf(form: RequestForm): CheckedQuestion[] {
  const complete = questionsOf(form)
  if (complete.length > 0) return complete
  return form.questions.flatMap((question) => {
    const instructions = asText("Not written yet.")
    return questionsOf({ ...form, questions: [{ ...question, instructions }] })
  })
}

/** Returns a cell's text: a string without quotes, any other JSON value as its source. Empty for a missing value. */
export function cellText({ source }: Columns, row: DataRow, at: number): string {
  const cell = row.cells[at] ?? ""
  if (source.format === "csv") return cell
  if (cell === "null") return ""
  return cell.startsWith('"') ? (JSON.parse(cell) as string) : cell
}

const cellJson = ({ source }: Columns, row: DataRow, at: number): string => {
  const cell = row.cells[at] ?? ""
  return source.format === "csv" ? JSON.stringify(cell) : cell
}

/** Ends at the next `{{`, so that a template without `}}` is read in linear time. */
const PLACEHOLDER = /\{\{((?:(?!\{\{).)+?)\}\}/gs

const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim())

/** Returns the columns that a template names and the file does not have. */
export function unknownPlaceholders(template: string, columns: readonly string[]): string[] {
  return [...new Set(placeholdersIn(template))].filter((name) => !columns.includes(name))
}

/** Returns the columns that a state of the whole row leaves out. */
const notInRow = ({ joined = [] }: Pick<Columns, "joined">, without: string[], labels: LabelMapping[]): string[] => [
  ...without,
  ...joined,
  ...labels.map(({ column }) => column),
]

/** Returns the columns that the model reads. */
export function columnsRead(set: Pick<Columns, "columns" | "joined">, { state, labels }: Mapping): string[] {
  const { columns } = set
  if (state.kind === "column") return columns.filter((column) => column === state.column)
  if (state.kind === "row") {
    const without = notInRow(set, state.without, labels)
    return columns.filter((column) => !without.includes(column))
  }
  const named = placeholdersIn(state.template)
  return columns.filter((column) => named.includes(column))
}

/** Returns the JSON source of a row's state; null when it is empty. */
export function stateOf(set: Columns, { state, labels }: Mapping, row: DataRow): string | null {
  if (state.kind === "row") return wholeRow(set, notInRow(set, state.without, labels), row)
  if (state.kind === "template") return quoted(filled(set, state, row))
  const at = set.columns.indexOf(state.column)
  const json = set.source.format === "csv" ? "" : (row.cells[at] ?? "")
  // An object or array is a state of its own. A number or true is not, so it is sent as text.
  return /^[{[]/.test(json) ? json : quoted(cellText(set, row, at))
}

const quoted = (text: string): string | null => (text.trim() === "" ? null : JSON.stringify(text))

function filled(set: Columns, { template }: Extract<StateMapping, { kind: "template" }>, row: DataRow): string {
  let isEmpty = true
  const text = template.replace(PLACEHOLDER, (_, name: string) => {
    const value = cellText(set, row, set.columns.indexOf(name.trim()))
    if (value.trim() !== "") isEmpty = false
    return value
  })
  return isEmpty ? "" : text
}

/** The labels are left out: a model that reads the answer proves nothing. */
function wholeRow(set: Columns, without: readonly string[], row: DataRow): string | null {
  const members = set.columns.flatMap((column, at): [string, string][] => {
    const json = without.includes(column) ? "" : cellJson(set, row, at)
    return json === "" ? [] : [[column, json]]
  })
  const isEmpty = members.every(([, json]) => json === '""' || json === "null")
  return isEmpty ? null : jsonObject(members)
}

/** Returns what reads a row's labels, in the order of the questions. */
export function labelReader(
  set: Columns,
  labels: readonly LabelMapping[],
  questions: readonly CheckedQuestion[],
): (row: DataRow) => ReadLabel[] {
  const columns = questions.map((question) => {
    const mapped = labels.find((label) => label.question === question.name)
    const at = mapped ? set.columns.indexOf(mapped.column) : -1
    return { read: mapped ? readOnce((text) => readLabel(question, mapped, text)) : null, at }
  })
  return (row) => columns.map(({ read, at }) => (read ? read(cellText(set, row, at)) : { ok: true, label: null }))
}

/** Keeps what was read: a column repeats a few texts, and each is searched among hundreds of options. */
function readOnce(read: (text: string) => ReadLabel): (text: string) => ReadLabel {
  const known = new Map<string, ReadLabel>()
  return (text) => {
    const label = known.get(text) ?? read(text)
    known.set(text, label)
    return label
  }
}

/**
 * Reads rows as states with labels. A row is left out, with the reason, when its state is empty or a label is no answer of its
 * question. So is a row without any of the mapped labels.
 */
export function readRows(set: Columns & { mapping: Mapping }, rows: DataRow[], questions: CheckedQuestion[]): ReadRows {
  const labelsOf = labelReader(set, set.mapping.labels, questions)
  const isLabelled = set.mapping.labels.some(({ question }) => questions.some(({ name }) => name === question))
  const read: ReadRows = { usable: [], faults: [] }
  for (const row of rows) {
    const { index, line } = row
    const state = stateOf(set, set.mapping, row)
    const labels = labelsOf(row)
    const wrong = labels.find((label) => !label.ok)
    const values = labels.map((label) => (label.ok ? label.label : null))
    if (state === null) read.faults.push({ line, reason: "The state is empty." })
    else if (wrong) read.faults.push({ line, reason: wrong.reason })
    else if (isLabelled && values.every((label) => label === null))
      read.faults.push({ line, reason: "The row has no label." })
    else read.usable.push({ index, line, state, labels: values })
  }
  return read
}

/** Returns the members of a JSON object as source text, by name. Null for any other value. */
export function objectCells(json: string): Map<string, string> | null {
  const members = membersOf(json, rootOf(json))
  return members && new Map(members.map(({ name, value }) => [name, sourceOf(json, value)]))
}
