import { countOf } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { logLossOf } from "@/lib/shared/statistics/forecasts"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import { QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import { topConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"
import { type JudgedRow, predictedOf } from "./judged-rows"

/** Fixed, so that nobody tries splits until one passes. What was accepted before seeds were mixed has the number 1. */
export const SPLIT_SEED = 2

/** Below these, figures are not reliable enough for a decision. */
const MIN_ROWS = 100
export const MIN_CLASS_ROWS = 20

/** What the figures of one question count: its answered rows with their corrected labels, in two halves. */
export interface AnsweredRows extends Answered {
  /** The rows behind the figures. */
  rows: JudgedRow[]
  /** 1 for each row of the half that checks, 0 for the half that chooses. */
  isCheck: Uint8Array
  /** What the user corrected (`correctionsText`); null for nothing. Absent where nobody reads it. */
  corrections?: string | null
}

/**
 * Splits rows without corrections, by the labels of the file. A correction thus moves no row to the other half. Returns 1 for each
 * row of the half that checks.
 */
export function splitRows(rows: readonly JudgedRow[]): Uint8Array {
  const isCheck = new Uint8Array(rows.length)
  const { check } = stratifiedHalves(
    rows.map(({ label }) => label),
    SPLIT_SEED,
  )
  for (const row of check) isCheck[row] = 1
  return isCheck
}

/**
 * Replaces the labels of the file by the corrected ones (`correctedLabels`). Rows that a correction leaves out are missing. `split` is of
 * `splitRows`.
 */
export function correctRows(
  names: readonly string[],
  rows: readonly JudgedRow[],
  split: Uint8Array,
  corrected: ReadonlyMap<number, number | null>,
): AnsweredRows {
  const kept: JudgedRow[] = []
  const isCheck: number[] = []
  for (const [at, each] of rows.entries()) {
    const label = corrected.has(each.row) ? corrected.get(each.row) : each.label
    if (label === null || label === undefined) continue
    kept.push(corrected.has(each.row) ? { ...each, label, isCorrected: true } : each)
    isCheck.push(split[at] ?? 0)
  }
  return {
    names,
    rows: kept,
    isCheck: Uint8Array.from(isCheck),
    labels: Uint8Array.from(kept, ({ label }) => label),
    probabilities: kept.map(({ probabilities }) => probabilities),
  }
}

export type SplitAnswers = Pick<AnsweredRows, keyof Answered | "isCheck">

/** Returns the rows of one half. */
export function halfOf({ names, labels, probabilities, isCheck }: SplitAnswers, half: "choose" | "check"): Answered {
  const wanted = half === "check" ? 1 : 0
  return {
    names,
    labels: labels.filter((_, row) => isCheck[row] === wanted),
    probabilities: probabilities.filter((_, row) => isCheck[row] === wanted),
  }
}

/**
 * Returns why the figures are not reliable enough for a decision; empty when they are. Of more than two outcomes, those without
 * any label are not counted.
 */
export function weaknesses({ names, labels }: Answered): string[] {
  const counts = new Array<number>(names.length).fill(0)
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1
  const few = names.flatMap((name, at) => {
    const count = counts[at] ?? 0
    const isExpected = count > 0 || names.length === 2
    return isExpected && count < MIN_CLASS_ROWS ? [`“${shortText(name)}” has ${count}`] : []
  })
  const are = labels.length === 1 ? "is" : "are"
  return [
    ...(labels.length < MIN_ROWS
      ? [`There ${are} ${countOf(labels.length, "labelled answer")}. ${MIN_ROWS} are needed.`]
      : []),
    ...(few.length > 0 ? [`Each label needs ${MIN_CLASS_ROWS} rows: ${listed(few)}.`] : []),
  ]
}

const SHOWN = 5
const listed = (texts: string[]): string =>
  texts.length > SHOWN
    ? `${texts.slice(0, SHOWN).join(", ")} and ${texts.length - SHOWN} more have too few`
    : texts.join(", ")

/** A row whose answer (`predictedOf`) is not its label. */
export interface WrongRow {
  row: JudgedRow
  answer: number
  /** The probability of the answer. */
  confidence: number
  /** In nats: `−ln` of the label's probability. */
  loss: number
}

/** Returns the rows with a wrong answer. Those that gave their label the lowest probability come first. */
export function wrongRows(type: QuestionTypeName, answered: AnsweredRows): WrongRow[] {
  // A choice may have hundreds of options, which other figures have read already.
  const top = QUESTION_TYPES[type].scale === "nominal" ? topConfidences(answered).answers : null
  return answered.rows
    .flatMap((row, at): WrongRow[] => {
      const answer = top?.[at] ?? predictedOf(type, row.probabilities)
      if (answer === row.label) return []
      return [
        {
          row,
          answer,
          confidence: row.probabilities[answer] ?? 0,
          loss: logLossOf(row.probabilities[row.label] ?? 0),
        },
      ]
    })
    .sort((a, b) => b.loss - a.loss || a.row.row - b.row.row)
}
