import { csvLine } from "@/lib/shared/csv"
import { outcomesOf } from "@/questions/question-types"
import { correctedLabels } from "../figures/corrections"
import { predictedOf } from "../figures/judged-rows"
import type { DataRow } from "../rows/evaluation-set"
import { cellText } from "../rows/read-rows"
import type { RowResult } from "../run/evaluation-run"
import type { RunData } from "./judged-questions"

/**
 * Writes every row of the set with its answers as CSV. The line and the file's columns come first; status, cost and error come
 * last. A row whose state was asked for another row has that row's answer. Between them, each question has its corrected label, its answer and the probability of each outcome.
 */
export function writeResultsCsv({ set, rows, results, asked }: RunData): string {
  const { questions, usable } = asked
  const byRow = new Map(results.map((result) => [result.row, result]))
  const states = new Map(usable.map(({ index, state }) => [index, state]))
  const lineOf = new Map(rows.map(({ index, line }) => [index, line]))
  // A row that was asked comes before its copies.
  const askedFor = new Map(
    usable.filter(({ index }) => byRow.has(index)).map(({ index, state }) => [state, index] as const),
  )
  const originalOf = (row: DataRow) => (byRow.has(row.index) ? row.index : askedFor.get(states.get(row.index) ?? ""))
  const labels = new Map(usable.map((row) => [row.index, row.labels]))
  const corrected = questions.map((question) =>
    correctedLabels(set.corrections, question.name, outcomesOf(question).names(question)),
  )
  const head = questions.flatMap((question) => [
    `${question.name}.label`,
    `${question.name}.answer`,
    ...outcomesOf(question)
      .names(question)
      .map((name) => `${question.name}.p(${name})`),
  ])
  const answersOf = (row: DataRow): (string | number | null)[] =>
    questions.flatMap((question, at) => {
      const names = outcomesOf(question).names(question)
      const result = byRow.get(originalOf(row) ?? -1)
      const probabilities = result?.status === "answered" ? result.answers[at] : null
      const correction = corrected[at]?.get(row.index)
      const label = correction === undefined ? labels.get(row.index)?.[at] : correction
      const answer = probabilities && names[predictedOf(question.type, probabilities)]
      return [
        names[label ?? -1] ?? null,
        answer ?? null,
        ...names.map((_, outcome) => probabilities?.[outcome] ?? null),
      ]
    })
  const table = rows.map((row) => [
    row.line,
    ...set.columns.map((_, at) => cellText(set, row, at)),
    ...answersOf(row),
    ...costsOf(byRow.get(row.index), lineOf.get(originalOf(row) ?? -1)),
  ])
  const fields = ["line", ...set.columns, ...head, "status", "tokens", "cost_usd", "request_id", "error"]
  return [fields, ...table].map(csvLine).join("")
}

function costsOf(result: RowResult | undefined, originalLine: number | undefined): (string | number | null)[] {
  if (!result && originalLine !== undefined) return [`copy_of_line_${originalLine}`, null, null, null, null]
  if (result?.status === "answered") return [result.status, result.tokens, result.costUsd, result.requestId, null]
  if (result?.status === "failed") return [result.status, null, null, result.requestId, result.code]
  return [result?.status ?? "not_sent", null, null, null, null]
}
