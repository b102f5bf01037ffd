import type { LabelMapping } from "./evaluation-set"

interface Named {
  name: string
}

/**
 * Renames the label column of a renamed question, and drops that of a question that is gone. A name that two questions share
 * keeps its one column, because it is not known whose it is.
 */
export function keepLabels(
  labels: readonly LabelMapping[],
  before: readonly Named[],
  after: readonly Named[],
): LabelMapping[] {
  const renamed = before.length === after.length ? before.findIndex(({ name }, at) => name !== after[at]?.name) : -1
  const [from, to] = [before[renamed]?.name, after[renamed]?.name]
  const isMoved = before.filter(({ name }) => name === from).length === 1 && before.every(({ name }) => name !== to)
  const kept = labels.map((label) =>
    isMoved && to !== undefined && label.question === from ? { ...label, question: to } : label,
  )
  return kept.filter(({ question }) => after.some(({ name }) => name === question))
}
