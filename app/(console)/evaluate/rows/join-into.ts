import { columnValues } from "@/lib/shared/evaluate/rows/column-values"
import { labelsIn } from "@/lib/shared/evaluate/rows/guess-labels"
import { type LabelJoin, withJoinedColumn } from "@/lib/shared/evaluate/rows/join-labels"
import type { OpenSetStore } from "../model/open-set"

/** Adds joined labels to the open set as a column, and makes it the right answers of the question. */
export async function joinInto(
  { getState, changeRows }: Pick<OpenSetStore, "getState" | "changeRows">,
  { question, column: name, texts }: LabelJoin,
): Promise<void> {
  const { set, rows } = getState()
  const { change, column, rows: changed } = withJoinedColumn({ set, rows }, name, texts)
  const values = columnValues({ ...set, ...change }, changed, column)
  const others = set.mapping.labels.filter((label) => label.question !== question.name)
  const mapping = { ...set.mapping, labels: [...others, labelsIn(question, column, values)] }
  await changeRows({ ...change, mapping }, changed)
}
