import { expect, test } from "vitest"
import { noul } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import type { EvaluationSet, LabelMapping } from "../rows/evaluation-set"
import { columnsRead } from "../rows/read-rows"
import { askedRows } from "./asked-rows"

const FORM = { ...newRun().form, questions: [noul("refund", "Refund?", "", ""), noul("angry", "Angry?", "", "")] }
const RUN = newRun({ form: FORM, mapping: { state: { kind: "row", without: [] }, labels: [] } })
const ROWS = [
  ["first", "yes", "no"],
  ["second", "perhaps", "yes"],
].map((cells, index) => ({ index, line: index + 2, cells }))
const labelOf = (question: string, column: string): LabelMapping => ({ question, column, firstLevel: 0 })
const setWith = (labels: LabelMapping[], change: Partial<EvaluationSet> = {}): EvaluationSet =>
  newSet(RUN, { columns: ["text", "refund", "later"], mapping: { ...RUN.mapping, labels }, ...change })
const read = (set: EvaluationSet, run = RUN) => askedRows(set, ROWS, run).usable.map(({ labels }) => labels)

test("labels that are chosen after a run are joined to its answers, and change no state", () => {
  expect(read(setWith([]))).toEqual([
    [null, null],
    [null, null],
  ])
  const later = setWith([labelOf("refund", "refund"), labelOf("angry", "later")])
  expect(read(later)).toEqual([
    [1, 0],
    [null, 1],
  ])
  expect(askedRows(later, ROWS, RUN).usable.map(({ state }) => state)).toEqual([
    '{"text":"first","refund":"yes","later":"no"}',
    '{"text":"second","refund":"perhaps","later":"yes"}',
  ])
  expect(columnsRead(later, RUN.mapping)).toEqual(["text", "refund", "later"])
  expect(columnsRead(later, later.mapping)).toEqual(["text"])
})

test("a question that the set no longer has in this form keeps the labels of the run", () => {
  const run = { ...RUN, mapping: { ...RUN.mapping, labels: [labelOf("refund", "refund")] } }
  const [, angry] = FORM.questions
  const removed = { ...FORM, questions: angry ? [angry] : [] }
  expect(read(setWith([labelOf("refund", "later")], { form: removed }), run)).toEqual([
    [1, null],
    [null, null],
  ])
  expect(read(setWith([labelOf("refund", "later")]), run)).toEqual([
    [0, null],
    [1, null],
  ])
})

test("the columns of a template are those that it names", () => {
  const state = { kind: "template", template: "{{ later }}: {{text}}{{gone}}" } as const
  expect(columnsRead(setWith([]), { state, labels: [] })).toEqual(["text", "later"])
})
