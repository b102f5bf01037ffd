import { asText } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { columnValues } from "./column-values"
import { type Columns, type DataRow, type EvaluationSet, type Mapping, newId, type Table } from "./evaluation-set"
import { guessLabels } from "./guess-labels"
import { cellText } from "./read-rows"

/** The longest column is found in this many rows. */
const SAMPLE_ROWS = 200

/** Returns the column with the longest texts, which is most likely what the model should read. */
function longestColumn(set: Columns, rows: readonly DataRow[]): string {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const lengths = set.columns.map((_, at) => sample.reduce((sum, row) => sum + cellText(set, row, at).length, 0))
  return set.columns[lengths.indexOf(Math.max(...lengths))] ?? ""
}

/** Returns a new set with guesses for the user to check. */
export function newSet(accountId: string, table: Table, name: string, form: RequestForm): EvaluationSet {
  const { format, columns, rows, unreadable, drawn } = table
  const set = { columns, source: { format, name: drawn ? `${name} (${drawn})` : name } }
  const column = longestColumn(set, rows)
  const others = columns.filter((other) => other !== column)
  const labels = guessLabels(form, others, (other) => columnValues(set, rows, other))
  const mapping: Mapping = { state: { kind: "column", column }, labels }
  return {
    id: newId(),
    accountId,
    name: name.replace(/\.(csv|tsv|tab|txt|jsonl|ndjson|json)$/i, ""),
    createdAt: new Date().toISOString(),
    ...set,
    rowCount: rows.length,
    unreadable,
    mapping,
    form: { ...form, state: asText("") },
    corrections: [],
  }
}
