import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { DataRow, EvaluationSet, RowFault } from "./evaluation-set"
import { readRows } from "./read-rows"

/** The rows of a set as its mapping reads them. */
export interface RowSummary {
  /** The indexes of the rows that can be asked about. */
  usable: number[]
  /** UTF-8 bytes of each usable row's state, as JSON. */
  stateBytes: number[]
  /** The rows that are left out, including unreadable ones, in the order of the file. */
  faults: RowFault[]
  /** Per question in request order: how often each outcome is the label, and how many rows have none. */
  labels: { question: string; counts: { name: string; count: number }[]; without: number }[]
}

const SLICE_ROWS = 200

/**
 * Reads all rows as the mapping says. Yields after every few hundred rows, so that the page stays responsive. The last
 * value is the summary.
 */
export function* summarizeRows(
  set: EvaluationSet,
  rows: DataRow[],
  questions: CheckedQuestion[],
): Generator<undefined, RowSummary> {
  const names = questions.map((question) => outcomesOf(question).names(question))
  const counts = names.map((outcomes) => outcomes.map(() => 0))
  const without = questions.map(() => 0)
  const encoder = new TextEncoder()
  const usable: number[] = []
  const stateBytes: number[] = []
  const faults: RowFault[] = [...set.unreadable]
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const read = readRows(set, rows.slice(at, at + SLICE_ROWS), questions)
    faults.push(...read.faults)
    for (const { index, state, labels } of read.usable) {
      usable.push(index)
      stateBytes.push(encoder.encode(state).length)
      labels.forEach((label, question) => {
        const perOutcome = counts[question]
        if (label === null) without[question] = (without[question] ?? 0) + 1
        else if (perOutcome) perOutcome[label] = (perOutcome[label] ?? 0) + 1
      })
    }
    yield undefined
  }
  const labels = questions.map(({ name }, question) => ({
    question: name,
    counts: (names[question] ?? []).map((outcome, label) => ({ name: outcome, count: counts[question]?.[label] ?? 0 })),
    without: without[question] ?? 0,
  }))
  return { usable, stateBytes, faults: faults.toSorted((a, b) => a.line - b.line), labels }
}
