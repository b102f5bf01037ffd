import type { CheckedQuestion } from "@/questions/question-types"
import type { Columns, DataRow } from "../rows/evaluation-set"
import { questionsOf, readRows, type UsableRow } from "../rows/read-rows"
import type { EvaluationRun } from "./evaluation-run"

/** The rows of a set as a run asks about them. */
export interface AskedRows {
  questions: CheckedQuestion[]
  usable: UsableRow[]
}

/** Reads rows with a run's own questions and mapping. Those of the set may have changed since. */
export function askedRows(
  { columns, source }: Columns,
  rows: DataRow[],
  { form, mapping }: Pick<EvaluationRun, "form" | "mapping">,
): AskedRows {
  const questions = questionsOf(form)
  return { questions, usable: readRows({ columns, source, mapping }, rows, questions).usable }
}
