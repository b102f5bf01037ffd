import { asText } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { isQuestionName } from "@/questions/check-fields"
import { CEILINGS } from "@/questions/limits"
import { noulOutcomes } from "@/questions/noul/outcomes"
import { emptyQuestion, type QuestionForm } from "@/questions/question-form"
import { outcomesOf } from "@/questions/question-types"
import {
  type Columns,
  type DataRow,
  type EvaluationSet,
  type LabelMapping,
  type Mapping,
  newId,
  type Table,
} from "./evaluation-set"
import { cellText, questionsOf } from "./read-rows"

/** Guesses look at this many rows. */
const SAMPLE_ROWS = 200
const MAX_OPTIONS = 20

const textsOf = (set: Columns, rows: DataRow[], at: number): string[] =>
  rows
    .slice(0, SAMPLE_ROWS)
    .map((row) => cellText(set, row, at))
    .filter((text) => text.trim() !== "")

/** Returns the column with the longest texts, which is most likely what the model should read. */
function longestColumn(set: Columns, rows: DataRow[]): string {
  const lengths = set.columns.map((_, at) => textsOf(set, rows, at).reduce((sum, text) => sum + text.length, 0))
  return set.columns[lengths.indexOf(Math.max(...lengths))] ?? ""
}

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Returns 1 when a label is the number of levels and none is 0: such labels count the levels from 1. */
function firstLevelOf(texts: readonly string[], levels: number): 0 | 1 {
  const numbers = texts.map(Number).filter((number) => Number.isInteger(number))
  return numbers.includes(levels) && !numbers.includes(0) ? 1 : 0
}

/**
 * Guesses which columns hold the labels. A column with the name of a question holds its labels. For a single question, so does
 * the only column of which every text is a label.
 */
export function guessLabels(set: Columns, rows: DataRow[], form: RequestForm, stateColumn: string): LabelMapping[] {
  const questions = questionsOf(form)
  const others = set.columns.filter((column) => column !== stateColumn)
  return questions.flatMap((question): LabelMapping[] => {
    const { name } = question
    const textsIn = (column: string) => textsOf(set, rows, set.columns.indexOf(column))
    const levels = outcomesOf(question).names(question).length
    const fits = (column: string) => {
      const texts = textsIn(column)
      const firstLevel = firstLevelOf(texts, levels)
      return (
        texts.length > 0 && texts.every((text) => outcomesOf(question).indexOf(question, text, firstLevel) !== null)
      )
    }
    const fitting = others.filter(fits)
    const named = others.find((column) => folded(column) === folded(name))
    const column = named ?? (questions.length === 1 && fitting.length === 1 ? fitting[0] : undefined)
    return column === undefined ? [] : [{ question: name, column, firstLevel: firstLevelOf(textsIn(column), levels) }]
  })
}

/** Returns a new set with guesses for the user to check. */
export function newSet(accountId: string, table: Table, name: string, form: RequestForm): EvaluationSet {
  const { format, columns, rows, unreadable } = table
  const source = { format, name }
  const column = longestColumn({ columns, source }, rows)
  const mapping: Mapping = { state: { kind: "column", column }, labels: [] }
  return {
    id: newId(),
    accountId,
    name: name.replace(/\.(csv|tsv|tab|txt|jsonl|ndjson|json)$/i, ""),
    createdAt: new Date().toISOString(),
    source,
    columns,
    rowCount: rows.length,
    unreadable,
    mapping: { ...mapping, labels: guessLabels({ columns, source }, rows, form, column) },
    form: { ...form, state: asText("") },
    corrections: [],
  }
}

/**
 * Suggests a question whose answers are the texts of a column: yes/no when all are spellings of it, else a choice between
 * them. Null when the column holds no text, too many different ones, or a single one that is neither yes nor no.
 */
export function suggestQuestion(set: Columns, rows: DataRow[], column: string): QuestionForm | null {
  const texts = [...new Set(textsOf(set, rows, set.columns.indexOf(column)).map((text) => text.trim()))]
  if (texts.length === 0 || texts.length > MAX_OPTIONS) return null
  const name = isQuestionName(column)
    ? column
    : column.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, CEILINGS.questionName) || "question_1"
  if (texts.every((text) => noulOutcomes.indexOf(null, text, 0) !== null)) return emptyQuestion("noul", name)
  if (texts.length < 2) return null
  return {
    ...emptyQuestion("choice", name),
    options: texts.map((option) => ({ name: option, description: asText("") })),
  }
}
