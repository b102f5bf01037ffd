import { expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { noul } from "@/lib/shared/request-form/examples"
import type { EvaluationSet, LabelMapping } from "./evaluation-set"
import { editSet, keepLabels, newEditor, reduceEditor, undoEdit } from "./question-editor"

const SET: Pick<EvaluationSet, "form" | "mapping"> = {
  form: {
    model: "m",
    keyId: "",
    state: asText(""),
    questions: [noul("late", "Late?", "", ""), noul("refund", "Refund?", "", ""), noul("spam", "Spam?", "", "")],
  },
  mapping: {
    state: { kind: "column", column: "text" },
    labels: [
      { question: "refund", column: "money", firstLevel: 0 },
      { question: "spam", column: "spam", firstLevel: 0 },
    ],
  },
}
const REMOVAL = { type: "question_removed", index: 1 } as const
const removed = reduceEditor(newEditor(SET.form.questions), { type: "edited", before: SET, action: REMOVAL })

test("the removal of a question is undone with its place and its label column", () => {
  const without = editSet(SET, REMOVAL)
  expect(without.mapping.labels.map(({ question }) => question)).toEqual(["spam"])
  expect(removed.keys).toEqual([0, 2])
  if (!removed.undo) throw new Error("the removal cannot be undone")
  expect(removed.undo.label).toBe("Removed refund")
  expect(undoEdit(without, removed.undo)).toEqual(SET)
  const undone = reduceEditor(removed, { type: "edited", before: without, action: removed.undo.action })
  expect(undone).toEqual({ keys: [0, 3, 2], announcement: "", undo: null })
})

test("a removal can be undone until the next edit, or until its notice is dismissed", () => {
  const action = { type: "question_moved", from: 0, to: 1 } as const
  const moved = reduceEditor(removed, { type: "edited", before: editSet(SET, REMOVAL), action })
  expect(moved).toEqual({ keys: [2, 0], announcement: "late is now question 2 of 2", undo: null })
  expect(reduceEditor(removed, { type: "undo_dismissed" }).undo).toBeNull()
})

const labelOf = (question: string, column = question): LabelMapping => ({ question, column, firstLevel: 0 })
const named = (...names: string[]) => names.map((name) => ({ name }))

/** Returns the labels after the last of these edits of the questions' names. */
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
