import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { DataRow, EvaluationSet, RowFault } from "./evaluation-set"
import { type Leak, LeakFinder } from "./find-leaks"
import { groupReader, groupRows } from "./group-rows"
import { readRows, type UsableRow } from "./read-rows"

/** The rows of a set as its mapping reads them. */
export interface RowSummary {
  /** The indexes of the rows that can be asked about. */
  usable: number[]
  /** The first usable row of each different state. Only these are asked. */
  distinct: number[]
  /** UTF-8 bytes of each distinct row's state, as JSON. */
  stateBytes: number[]
  /** The labels of each distinct row, as one text. Rows of one text are a stratum of a sample. */
  stateLabels: string[]
  /** How many groups the usable rows are in. One row of each counts in the figures. */
  groups: number
  /** How many states have copies with different labels. */
  conflicts: number
  /** What gives the right answers away. */
  leaks: Leak[]
  /** The rows that are left out, including unreadable ones, in the order of the file. */
  faults: RowFault[]
  /** Per question in request order: how often each outcome is the label, and how many rows have none. */
  labels: { question: string; counts: { name: string; count: number }[]; without: number }[]
}

const SLICE_ROWS = 200

/** Counts labels per outcome of each question. */
class LabelCounts {
  readonly #questions: CheckedQuestion[]
  readonly #counts: number[][]
  readonly #without: number[]

  constructor(questions: CheckedQuestion[]) {
    this.#questions = questions
    this.#counts = questions.map((question) =>
      outcomesOf(question)
        .names(question)
        .map(() => 0),
    )
    this.#without = questions.map(() => 0)
  }

  add(labels: UsableRow["labels"]): void {
    labels.forEach((label, question) => {
      const counts = this.#counts[question]
      if (label === null) this.#without[question] = (this.#without[question] ?? 0) + 1
      else if (counts) counts[label] = (counts[label] ?? 0) + 1
    })
  }

  get labels(): RowSummary["labels"] {
    return this.#questions.map((question, at) => ({
      question: question.name,
      counts: outcomesOf(question)
        .names(question)
        .map((name, label) => ({ name, count: this.#counts[at]?.[label] ?? 0 })),
      without: this.#without[at] ?? 0,
    }))
  }
}

/** Counts different states, the groups of rows that are not independent, and states whose copies have different labels. */
class StateCounts {
  readonly distinct: number[] = []
  readonly stateBytes: number[] = []
  readonly stateLabels: string[] = []
  readonly #states: string[] = []
  readonly #values: (string | null)[] = []
  readonly #labelsOf = new Map<string, string>()
  readonly #conflicts = new Set<string>()
  readonly #encoder = new TextEncoder()

  add({ index, state, labels }: UsableRow, value: string | null): void {
    this.#states.push(state)
    this.#values.push(value)
    const [text, known] = [labels.join(), this.#labelsOf.get(state)]
    if (known !== undefined && known !== text) this.#conflicts.add(state)
    if (known !== undefined) return
    this.#labelsOf.set(state, text)
    this.distinct.push(index)
    this.stateLabels.push(text)
    this.stateBytes.push(this.#encoder.encode(state).length)
  }

  get groups(): number {
    return new Set(groupRows(this.#states, this.#values)).size
  }

  get conflicts(): number {
    return this.#conflicts.size
  }
}

/**
 * Reads all rows as the mapping says. Yields after every few hundred rows, so that the page stays responsive. The last
 * value is the summary.
 */
export function* summarizeRows(
  set: EvaluationSet,
  rows: DataRow[],
  questions: CheckedQuestion[],
): Generator<undefined, RowSummary> {
  const labels = new LabelCounts(questions)
  const states = new StateCounts()
  const finder = new LeakFinder(set, questions)
  const groupValue = groupReader(set)
  const usable: number[] = []
  const faults: RowFault[] = [...set.unreadable]
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    const read = readRows(set, rows.slice(at, at + SLICE_ROWS), questions)
    faults.push(...read.faults)
    for (const row of read.usable) {
      const data = rows[row.index]
      if (!data) continue
      usable.push(row.index)
      labels.add(row.labels)
      states.add(row, groupValue(data))
      finder.add(data, row)
    }
    yield undefined
  }
  const { distinct, stateBytes, stateLabels, groups, conflicts } = states
  return {
    usable,
    distinct,
    stateBytes,
    stateLabels,
    groups,
    conflicts,
    leaks: finder.leaks,
    faults: faults.toSorted((a, b) => a.line - b.line),
    labels: labels.labels,
  }
}
