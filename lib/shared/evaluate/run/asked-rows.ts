import type { CheckedQuestion } from "@/questions/question-types"
import type { Columns, DataRow, EvaluationSet, LabelMapping } from "../rows/evaluation-set"
import { groupReader, groupRows } from "../rows/group-rows"
import { labelReader, questionsOf, stateOf, type UsableRow } from "../rows/read-rows"
import type { EvaluationRun } from "./evaluation-run"

/** The rows of a set as a run asks about them. */
export interface AskedRows {
  questions: CheckedQuestion[]
  usable: UsableRow[]
  /** The group of each usable row (`groupRows`). */
  groups: Uint32Array
}

type Labelled = Pick<EvaluationSet, "mapping" | "form">

/**
 * Returns where the right answers to a run's questions are: in the columns that the set names now, because labels may come after the
 * answers. A question that the set no longer has keeps the column that it had in the run.
 */
export function labelsOf(set: Labelled, { form, mapping }: Pick<EvaluationRun, "form" | "mapping">): LabelMapping[] {
  const of = (labels: readonly LabelMapping[], name: string) => labels.find(({ question }) => question === name)
  return form.questions.flatMap(({ name, type }) => {
    const isSame = set.form.questions.some((question) => question.name === name && question.type === type)
    return (isSame ? of(set.mapping.labels, name) : undefined) ?? of(mapping.labels, name) ?? []
  })
}

/** Reads rows with a run's own questions and states. Those of the set may have changed since. A label that is no answer counts as none. */
export function askedRows(
  set: Columns & Labelled,
  rows: readonly DataRow[],
  run: Pick<EvaluationRun, "form" | "mapping">,
): AskedRows {
  const questions = questionsOf(run.form)
  const labelsIn = labelReader(set, labelsOf(set, run), questions)
  const usable = rows.flatMap((row): UsableRow[] => {
    const state = stateOf(set, run.mapping, row)
    if (state === null) return []
    const labels = labelsIn(row).map((label) => (label.ok ? label.label : null))
    return [{ index: row.index, line: row.line, state, labels }]
  })
  const groupValue = groupReader(set)
  const values = usable.map(({ index }) => {
    const row = rows[index]
    return row ? groupValue(row) : null
  })
  const states = usable.map(({ state }) => state)
  return { questions, usable, groups: groupRows(states, values) }
}
