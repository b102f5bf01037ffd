import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { Columns, DataRow, EvaluationSet } from "./evaluation-set"
import { columnsRead, type UsableRow } from "./read-rows"

/** What gives the right answers of a question away. */
export type Leak =
  /** A column whose value determines the label. `isRead`: the model reads it. */
  | { kind: "column"; question: string; column: string; isRead: boolean }
  /** The state contains the label of this share of the rows, and no other label. */
  | { kind: "state"; question: string; share: number }

/** With fewer labelled rows, a match may be chance. */
const MIN_ROWS = 20
/** The most pairs of a question and a column that are counted, so that wide files stay fast. */
const MAX_PAIRS = 300
/** A column with more different values is not counted. */
const MAX_VALUES = 2_000
/** A column determines the label when at most this share of the rows is an exception, and a tenth of those without it. */
const EXCEPTIONS = 0.01
const SHARE_IN_STATE = 0.9

const LETTER = /[\p{L}\p{N}]/u

/** Returns whether a text contains a word or phrase as a whole. Both are in lower case. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + word.length]]
    if (!LETTER.test(before) && !LETTER.test(after)) return true
  }
  return false
}

/** Counts how well a column's values determine the labels of a question. */
class ColumnCounts {
  readonly #labels = new Map<string, Map<number, number>>()
  readonly #all = new Map<number, number>()
  #rows = 0

  add(value: string, label: number): void {
    if (this.#labels.size > MAX_VALUES) return
    this.#rows += 1
    this.#all.set(label, (this.#all.get(label) ?? 0) + 1)
    const counts = this.#labels.get(value) ?? new Map<number, number>()
    counts.set(label, (counts.get(label) ?? 0) + 1)
    this.#labels.set(value, counts)
  }

  /** A row counts as determined when the other rows of its value have its label more often than any other. */
  get isDetermined(): boolean {
    if (this.#rows < MIN_ROWS || this.#labels.size > MAX_VALUES) return false
    let determined = 0
    for (const counts of this.#labels.values())
      for (const [label, count] of counts) {
        const others = [...counts].filter(([other]) => other !== label).map(([, each]) => each)
        if (count - 1 > Math.max(0, ...others)) determined += count
      }
    const [exceptions, without] = [this.#rows - determined, this.#rows - Math.max(...this.#all.values())]
    return exceptions <= this.#rows * EXCEPTIONS && exceptions * 10 <= without && without > 0
  }
}

/** Counts how often the state contains the label of its row and no other label. */
class LabelsInStates {
  readonly #names: string[]
  readonly #found = new Set<number>()
  #rows = 0
  #hits = 0

  constructor(names: readonly string[]) {
    this.#names = names.map((name) => name.trim().toLowerCase())
  }

  /** `state` is in lower case. */
  add(state: string, label: number): void {
    this.#rows += 1
    const own = this.#names[label] ?? ""
    if (own === "" || !hasWord(state, own)) return
    if (this.#names.some((name, other) => other !== label && !own.includes(name) && hasWord(state, name))) return
    this.#hits += 1
    this.#found.add(label)
  }

  /** Most labels are in few states, so reading on would only cost time. */
  get isHopeless(): boolean {
    return this.#rows >= 10 * MIN_ROWS && this.#hits < this.#rows / 2
  }

  /** Null when the states do not give the label away. */
  get share(): number | null {
    const share = this.#hits / this.#rows
    return this.#rows >= MIN_ROWS && this.#found.size > 1 && share >= SHARE_IN_STATE ? share : null
  }
}

/** Finds what gives right answers away, from rows that it is shown one after the other. */
export class LeakFinder {
  readonly #questions: readonly CheckedQuestion[]
  readonly #states: LabelsInStates[]
  readonly #read: string[]
  readonly #pairs: { question: number; column: string; at: number; counts: ColumnCounts }[]

  constructor(set: Columns & Pick<EvaluationSet, "mapping">, questions: readonly CheckedQuestion[]) {
    const { state, labels } = set.mapping
    this.#questions = questions
    this.#read = columnsRead(set, set.mapping)
    this.#states = questions.map((question) => {
      const answers = labels.find((label) => label.question === question.name)?.answers
      return new LabelsInStates(answers ? [answers.no, answers.yes] : outcomesOf(question).names(question))
    })
    const labelColumns = labels.map(({ column }) => column)
    // A state of one column is what the model has to judge.
    const text = state.kind === "column" ? state.column : null
    const columns = set.columns.filter((column) => column !== text && !labelColumns.includes(column))
    this.#pairs = questions
      .flatMap((_, question) =>
        columns.map((column) => ({ question, column, at: set.columns.indexOf(column), counts: new ColumnCounts() })),
      )
      .slice(0, MAX_PAIRS)
  }

  add(row: DataRow, { state, labels }: UsableRow): void {
    for (const { question, at, counts } of this.#pairs) {
      const [cell, label] = [row.cells[at] ?? "", labels[question] ?? null]
      if (label !== null && cell !== "") counts.add(cell, label)
    }
    let text: string | null = null
    for (const [question, counts] of this.#states.entries()) {
      const label = labels[question] ?? null
      if (label === null || counts.isHopeless) continue
      text ??= state.toLowerCase()
      counts.add(text, label)
    }
  }

  get leaks(): Leak[] {
    const determined = this.#pairs.filter(({ counts }) => counts.isDetermined)
    return this.#questions.flatMap(({ name }, at): Leak[] => {
      const share = this.#states[at]?.share ?? null
      const columns = determined.filter(({ question }) => question === at)
      return [
        ...columns.map(({ column }): Leak => {
          return { kind: "column", question: name, column, isRead: this.#read.includes(column) }
        }),
        ...(share === null ? [] : [{ kind: "state" as const, question: name, share }]),
      ]
    })
  }
}
