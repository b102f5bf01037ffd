import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { foldedName } from "@/questions/outcomes"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { ColumnValues } from "./column-values"
import type { LabelMapping, YesNoTexts } from "./evaluation-set"
import { outcomeNamed } from "./read-label"
import { labelledQuestionsOf } from "./read-rows"

/** Returns the values of a column. */
export type ValuesOf = (column: string) => ColumnValues

const letters = (name: string): string => foldedName(name).replace(/[^\p{L}\p{N}]/gu, "")

/** Returns 1 when a label is the number of levels and none is 0: such labels count the levels from 1. */
function firstLevelOf(question: CheckedQuestion, values: ColumnValues): 0 | 1 {
  const levels = outcomesOf(question).names(question).length
  const numbers = (values ?? []).map(({ text }) => Number(text))
  return numbers.includes(levels) && !numbers.includes(0) ? 1 : 0
}

/**
 * Returns the two values of a column of a yes/no question, as the user has to say which of them means yes. Null when they say so
 * themselves, and for any other number of values.
 */
export function undecidedAnswers(question: CheckedQuestion, values: ColumnValues): [string, string] | null {
  const [first, second, third] = values ?? []
  if (question.type !== "noul" || !first || !second || third) return null
  const [one, other] = [first.text, second.text].map((text) => outcomesOf(question).indexOf(question, text, 0))
  return one !== null && other !== null && one !== other ? null : [first.text, second.text]
}

/** Returns whether every value of a column is an outcome of the question, once the user says which of two means yes. */
function fits(question: CheckedQuestion, values: ColumnValues): boolean {
  if (!values || values.length === 0) return false
  if (undecidedAnswers(question, values)) return true
  const firstLevel = firstLevelOf(question, values)
  return values.every(({ text }) => outcomeNamed(question, text, { firstLevel }) !== null)
}

/** Returns the columns of which every value is an outcome of the question. */
export const fittingColumns = (question: CheckedQuestion, columns: readonly string[], valuesOf: ValuesOf): string[] =>
  columns.filter((column) => fits(question, valuesOf(column)))

/** Returns how a question's labels are read from a column. Without `answers`, the column says yes and no itself. */
export function labelsIn(
  question: CheckedQuestion,
  column: string,
  values: ColumnValues,
  answers?: YesNoTexts,
): LabelMapping {
  const firstLevel = firstLevelOf(question, values)
  return { question: question.name, column, firstLevel, ...(answers && { answers }) }
}

/**
 * Guesses which columns hold the labels. A column with the name of a question holds its labels. For a single question, so does
 * the only column of which every text is a label.
 */
export function guessLabels(form: RequestForm, columns: readonly string[], valuesOf: ValuesOf): LabelMapping[] {
  return labelledQuestionsOf(form).flatMap((question): LabelMapping[] => {
    const named = columns.find((column) => letters(column) === letters(question.name) && letters(column) !== "")
    const fitting = form.questions.length === 1 && !named ? fittingColumns(question, columns, valuesOf) : []
    const column = named ?? (fitting.length === 1 ? fitting[0] : undefined)
    return column === undefined ? [] : [labelsIn(question, column, valuesOf(column))]
  })
}
