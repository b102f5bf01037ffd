import { asText } from "@/lib/shared/json-source/text-or-json"
import { shortText } from "@/lib/shared/long-runs"
import { CEILINGS } from "@/questions/limits"
import { noulOutcomes } from "@/questions/noul/outcomes"
import { emptyQuestion, type QuestionForm } from "@/questions/question-form"
import type { ColumnValue } from "./column-values"
import type { LabelMapping, YesNoTexts } from "./evaluation-set"
import type { ValuesOf } from "./guess-labels"

/** A question whose answers are in a column. */
export interface Suggestion {
  question: QuestionForm
  labels: LabelMapping
  /** "yes or no, where “spam” means yes". */
  kind: string
}

/** A suggestion, and what else the column could be. */
export interface SuggestedQuestion extends Suggestion {
  column: string
  others: Suggestion[]
}

/** A column with this many different texts is a list of options, however few rows there are. */
const FEW_OPTIONS = 20
/** Above it, each option needs this many rows on average. */
const ROWS_PER_OPTION = 3

const nameOf = (column: string): string =>
  column.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, CEILINGS.questionName) || "question"

/** Returns the name with a number behind it if others have it. */
function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  for (let number = 2; ; number++) {
    const end = `_${number}`
    const next = name.slice(0, CEILINGS.questionName - end.length) + end
    if (!taken.includes(next)) return next
  }
}

const yesNo = (name: string, column: string, answers?: YesNoTexts): Suggestion => ({
  question: emptyQuestion("noul", name),
  labels: { question: name, column, firstLevel: 0, ...(answers && { answers }) },
  kind: answers ? `yes or no, where “${shortText(answers.yes)}” means yes` : "yes or no",
})

const optionsOf = (name: string, column: string, values: readonly ColumnValue[]): Suggestion => ({
  question: {
    ...emptyQuestion("choice", name),
    options: values.map(({ text }) => ({ name: text, description: asText("") })),
  },
  labels: { question: name, column, firstLevel: 0 },
  kind: `a choice between ${values.length} options`,
})

/** Returns a scale whose levels are the numbers of a column; null when its values are not consecutive numbers from 0 or 1. */
function scaleOf(name: string, column: string, values: readonly ColumnValue[]): Suggestion | null {
  const numbers = values.map(({ text }) => Number(text)).sort((a, b) => a - b)
  const [first] = numbers
  const isScale = (first === 0 || first === 1) && numbers.every((number, at) => number === first + at)
  if (!isScale || numbers.length < 3 || numbers.length > CEILINGS.levels) return null
  return {
    question: { ...emptyQuestion("score", name), levels: numbers.map(() => ({ label: asText("") })) },
    labels: { question: name, column, firstLevel: first },
    kind: `a scale of ${numbers.length} levels, numbered from ${first}`,
  }
}

/** Returns what a column can be the answers of, the likeliest first. */
function readingsOf(name: string, column: string, values: readonly ColumnValue[], rows: number): Suggestion[] {
  const [first, second, third] = values.map(({ text }) => text)
  if (first === undefined) return []
  const senses = new Set(values.map(({ text }) => noulOutcomes.indexOf(null, text, 0)))
  const saysYesOrNo = !senses.has(null) && (second === undefined || senses.size === 2)
  const isList = values.length <= Math.max(FEW_OPTIONS, Math.min(CEILINGS.options, rows / ROWS_PER_OPTION))
  const options = second !== undefined && isList ? [optionsOf(name, column, values)] : []
  if (saysYesOrNo) return [yesNo(name, column), ...options]
  const scale = scaleOf(name, column, values)
  const isPair = second !== undefined && third === undefined
  const either = isPair
    ? [yesNo(name, column, { yes: first, no: second }), yesNo(name, column, { yes: second, no: first })]
    : []
  return [...(scale ? [scale] : []), ...options, ...either]
}

/**
 * Suggests a question for each column that looks like answers: yes/no, a choice between its texts, or a scale of its numbers.
 * `taken` names the questions that exist.
 */
export function suggestQuestions(
  columns: readonly string[],
  valuesOf: ValuesOf,
  taken: readonly string[],
): SuggestedQuestion[] {
  const names = [...taken]
  return columns.flatMap((column): SuggestedQuestion[] => {
    const values = valuesOf(column)
    if (!values) return []
    const name = freeName(nameOf(column), names)
    const rows = values.reduce((sum, { count }) => sum + count, 0)
    const [likeliest, ...others] = readingsOf(name, column, values, rows)
    if (!likeliest) return []
    names.push(name)
    return [{ ...likeliest, column, others }]
  })
}
