import { countOf, formatCount } from "@/lib/shared/format"
import { outcomesOf, QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import type { Correction } from "../rows/evaluation-set"
import { GROUP_SEED, onePerGroup } from "../rows/group-rows"
import type { AskedRows } from "../run/asked-rows"
import type { RowResult } from "../run/evaluation-run"
import { correctedLabels } from "./corrections"

/** An answered row with the label that the figures compare it with. */
export interface JudgedRow {
  /** The row's index in the set. */
  row: number
  line: number
  /** JSON source of what the model read. */
  state: string
  /** The index of the right outcome (`Outcomes`): the user's correction, else the label of the file. */
  label: number
  isCorrected: boolean
  /** One probability per outcome: no and yes, the options, the levels. */
  probabilities: number[]
}

/** Returns the outcome that an answer stands for. Every figure, list and export compares it with the label. */
export const predictedOf = (type: QuestionTypeName, probabilities: number[]): number =>
  QUESTION_TYPES[type].outcomes.predicted(probabilities)

/** Returns the probabilities of a question's answers by row. Copies of a state that was asked once have its answer. */
function answersOf({ usable }: AskedRows, results: readonly RowResult[], at: number): Map<number, number[]> {
  const answers = new Map<number, number[]>()
  const asked = new Set<number>()
  for (const result of results) {
    asked.add(result.row)
    const answer = result.status === "answered" ? result.answers[at] : null
    if (answer) answers.set(result.row, answer)
  }
  const copies = usable.filter(({ index }) => !asked.has(index))
  if (copies.length === 0) return answers
  const byState = new Map<string, number[]>()
  for (const { index, state } of usable) {
    const answer = answers.get(index)
    if (answer) byState.set(state, answer)
  }
  for (const { index, state } of copies) {
    const answer = byState.get(state)
    if (answer) answers.set(index, answer)
  }
  return answers
}

/** A question's answered and labelled rows, in the order of the file. */
export interface JudgedGroups {
  /** One row of each group. Only these are independent, so only these count. */
  judged: JudgedRow[]
  /** The other rows of the groups. */
  others: JudgedRow[]
}

/**
 * Returns the rows of one question without those that a correction leaves out. Corrections do not change which row of a group is
 * drawn.
 */
export function judgedGroups(
  asked: AskedRows,
  results: readonly RowResult[],
  corrections: readonly Correction[],
  questionName: string,
): JudgedGroups {
  const { questions, usable, groups } = asked
  const at = questions.findIndex(({ name }) => name === questionName)
  const question = questions[at]
  const corrected = correctedLabels(corrections, questionName, question ? outcomesOf(question).names(question) : [])
  const answers = answersOf(asked, results, at)
  const positions = usable.flatMap(({ index, labels }, position) => {
    const hasLabel = (labels[at] ?? null) !== null || (corrected.get(index) ?? null) !== null
    return hasLabel && answers.has(index) ? [position] : []
  })
  const drawn = new Set(onePerGroup(positions.map((position) => groups[position] ?? position)))
  const found: JudgedGroups = { judged: [], others: [] }
  for (const [order, position] of positions.entries()) {
    const row = usable[position]
    const label = row && (corrected.has(row.index) ? corrected.get(row.index) : row.labels[at])
    if (!row || label === null || label === undefined) continue
    const { index, line, state } = row
    const probabilities = answers.get(index) ?? []
    const list = drawn.has(order) ? found.judged : found.others
    list.push({ row: index, line, state, label, isCorrected: corrected.has(index), probabilities })
  }
  return found
}

/** Returns the rows that count of `judgedGroups`. */
export const judgedRows = (...of: Parameters<typeof judgedGroups>): JudgedRow[] => judgedGroups(...of).judged

/** Says how many rows count, and how the others did. Null when every row counts. */
export function groupsText(type: QuestionTypeName, { judged, others }: JudgedGroups): string | null {
  if (others.length === 0) return null
  const right = others.filter(({ label, probabilities }) => predictedOf(type, probabilities) === label).length
  const all = formatCount(judged.length + others.length)
  const belong = `${all} rows are in ${countOf(judged.length, "group")} of rows that belong together.`
  const rest = `Of the other ${countOf(others.length, "row")}, ${formatCount(right)} ${right === 1 ? "is" : "are"} right.`
  return `${belong} One row of each group counts, drawn by seed ${GROUP_SEED}, because only these are independent. ${rest}`
}
