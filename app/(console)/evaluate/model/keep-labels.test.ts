import { expect, test } from "vitest"
import type { LabelMapping } from "./evaluation-set"
import { keepLabels } from "./keep-labels"

const labelOf = (question: string, column = question): LabelMapping => ({ question, column, firstLevel: 0 })
const named = (...names: string[]) => names.map((name) => ({ name }))

/** Returns the labels after each of these edits of the questions' names. */
function afterEdits(labels: LabelMapping[], ...edits: string[][]) {
  return edits
    .slice(1)
    .reduce((kept, names, at) => keepLabels(kept, named(...(edits[at] ?? [])), named(...names)), labels)
}

test("a renamed question keeps its label column", () => {
  expect(keepLabels([labelOf("refund"), labelOf("team")], named("refund", "team"), named("refunds", "team"))).toEqual([
    labelOf("refunds", "refund"),
    labelOf("team"),
  ])
})

test("a removed question loses its label column", () => {
  expect(keepLabels([labelOf("refund"), labelOf("team")], named("refund", "team"), named("team"))).toEqual([
    labelOf("team"),
  ])
})

test("a renamed copy leaves the label column with the original, whatever was typed meanwhile", () => {
  const edits = [
    ["refund", "refund_2"],
    ["refund", "refund_"],
    ["refund", "refund"],
    ["refund", "refund_"],
    ["refund", "refund_x"],
  ]
  expect(afterEdits([labelOf("refund")], ...edits)).toEqual([labelOf("refund")])
})

test("a question never has two label columns", () => {
  expect(afterEdits([labelOf("refund"), labelOf("team")], ["refund", "team"], ["refund", "refund"])).toEqual([
    labelOf("refund"),
  ])
})
