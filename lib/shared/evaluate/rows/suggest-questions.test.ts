import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { asText } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { emptyQuestion, type QuestionForm } from "@/questions/question-form"
import { columnValues } from "./column-values"
import type { Columns, DataRow, EvaluationSet } from "./evaluation-set"
import { fittingColumns, guessLabels, labelsIn, undecidedAnswers, type ValuesOf } from "./guess-labels"
import { editSet } from "./question-editor"
import { labelledQuestionsOf, readRows } from "./read-rows"
import { readTable } from "./read-table"
import { suggestQuestions } from "./suggest-questions"

async function open(csv: string): Promise<{ set: Columns; rows: DataRow[]; valuesOf: ValuesOf }> {
  const { columns, rows } = await readTable(new Blob([csv]), "rows.csv")
  const set: Columns = { columns, source: { format: "csv", name: "rows.csv" } }
  return { set, rows, valuesOf: (column) => columnValues(set, rows, column) }
}

const formOf = (questions: QuestionForm[]): RequestForm => ({ model: "m", keyId: "", state: asText(""), questions })
const columnOf = (...texts: string[]) => `text,label\n${texts.map((text, at) => `t${at},"${text}"\n`).join("")}`
const kindsOf = async (csv: string): Promise<string[]> => {
  const { valuesOf } = await open(csv)
  return suggestQuestions(["label"], valuesOf, []).flatMap(({ kind, others }) => [
    kind,
    ...others.map((other) => other.kind),
  ])
}

/** The example that the page shows to a new user. */
const exampleOfPage = async (): Promise<string> => {
  const page = await readFile("app/(console)/evaluate/_components/sets/first-set.tsx", "utf8")
  return /const ROWS = `([^`]+)`/.exec(page)?.[1] ?? ""
}

test.each([
  ["the page's own example", exampleOfPage],
  ...[
    ["Yes", "NO"],
    ["true", "false"],
    ["1", "0"],
    ["y", "n"],
    ["T", "F"],
    ["on", "off"],
    ["positive", "negative"],
  ].map(([yes, no]): [string, () => Promise<string>] => [
    `${yes} and ${no}`,
    async () => `text,refund\none,${yes}\ntwo,${no}\nthree,${yes}\n`,
  ]),
])("a suggested yes/no question keeps its labels while its instructions are empty: %s", async (_, csvOf) => {
  const { set, rows, valuesOf } = await open(await csvOf())
  const suggested = suggestQuestions(set.columns.slice(1), valuesOf, [])
  const before: Pick<EvaluationSet, "form" | "mapping"> = {
    form: formOf([emptyQuestion("choice", "unfinished")]),
    mapping: { state: { kind: "column", column: set.columns[0] ?? "" }, labels: [] },
  }
  const { form, mapping } = suggested.reduce((edited, { question, labels }) => {
    const next = editSet(edited, { type: "question_inserted", index: 0, question })
    return { form: next.form, mapping: { ...next.mapping, labels: [...next.mapping.labels, labels] } }
  }, before)
  const questions = labelledQuestionsOf(form).filter(({ name }) => name === "refund")
  expect(readRows({ ...set, mapping }, rows, questions).usable.map(({ labels }) => labels)).toEqual([[1], [0], [1]])
})

test("a suggestion looks at all rows", async () => {
  const texts = Array.from({ length: 1_000 }, (_, at) => (at < 600 ? "yes" : at < 999 ? "no" : "maybe"))
  expect(await kindsOf(columnOf(...texts))).toEqual(["a choice between 3 options"])
})

test("spellings that differ in case, white space or Unicode composition are one option, in the most frequent spelling", async () => {
  const { valuesOf } = await open(
    columnOf(
      "billing",
      "Billing",
      "Billing ",
      "Cafe\u0301",
      "Caf\u00e9",
      "tech  support",
      "Tech support",
      "Tech support",
    ),
  )
  expect(valuesOf("label")).toEqual([
    { text: "Billing", count: 3 },
    { text: "Caf\u00e9", count: 2 },
    { text: "Tech support", count: 3 },
  ])
})

test("N/A, null and empty cells are missing, unless they are the name of an option", async () => {
  const csv = columnOf("billing", "N/A", "null", "", "other", "NaN")
  const { set, rows, valuesOf } = await open(csv)
  expect(valuesOf("label")).toEqual([
    { text: "billing", count: 1 },
    { text: "other", count: 1 },
  ])
  const labelsWith = (...options: string[]) => {
    const question = {
      ...emptyQuestion("choice", "label"),
      options: options.map((name) => ({ name, description: asText("") })),
    }
    const questions = labelledQuestionsOf(formOf([question]))
    const [asked] = questions
    const labels = asked ? [labelsIn(asked, "label", valuesOf("label"))] : []
    const read = readRows({ ...set, mapping: { state: { kind: "column", column: "text" }, labels } }, rows, questions)
    return { labels: read.usable.map(({ labels: [label] }) => label), left: read.faults.map(({ reason }) => reason) }
  }
  const none = "The row has no label."
  expect(labelsWith("billing", "other")).toEqual({ labels: [0, 1], left: [none, none, none, none] })
  expect(labelsWith("billing", "other", "N/A")).toEqual({ labels: [0, 2, 1], left: [none, none, none] })
})

test.each([
  ["ham", "spam"],
  ["1", "2"],
  ["J", "N"],
])("two values that are not yes and no ask which one means yes: %s and %s", async (one, other) => {
  const { set, rows, valuesOf } = await open(columnOf(one, other, other))
  const [question] = labelledQuestionsOf(formOf([emptyQuestion("noul", "label")]))
  if (!question) throw new Error("A yes/no question without instructions has labels.")
  expect(undecidedAnswers(question, valuesOf("label"))).toEqual([one, other])
  const labels = [labelsIn(question, "label", valuesOf("label"), { yes: other, no: one })]
  const mapping = { state: { kind: "column", column: "text" } as const, labels }
  const [third] = rows
  const stray = third ? [{ ...third, line: 9, cells: ["t", "yes"] }] : []
  const read = readRows({ ...set, mapping }, [...rows, ...stray], [question])
  expect(read.usable.map((row) => row.labels)).toEqual([[0], [1], [1]])
  expect(read.faults).toEqual([{ line: 9, reason: "“yes” in the column “label” is not an answer of “label”." }])
})

test("a suggestion says what else the column fits", async () => {
  expect(await kindsOf(columnOf("ham", "spam"))).toEqual([
    "a choice between 2 options",
    "yes or no, where “ham” means yes",
    "yes or no, where “spam” means yes",
  ])
  expect(await kindsOf(columnOf("yes", "no"))).toEqual(["yes or no", "a choice between 2 options"])
  expect(await kindsOf(columnOf("3", "1", "2", "2"))).toEqual([
    "a scale of 3 levels, numbered from 1",
    "a choice between 3 options",
  ])
})

test("levels that are numbered from 1 are noticed, wherever the highest one is", async () => {
  const texts = Array.from({ length: 500 }, (_, at) => String(at === 499 ? 3 : 1 + (at % 2)))
  const { set, valuesOf } = await open(columnOf(...texts))
  const levels = ["calm", "annoyed", "angry"].map((text) => ({ label: asText(text) }))
  const form = formOf([{ ...emptyQuestion("score", "label"), levels }])
  expect(guessLabels(form, set.columns.slice(1), valuesOf)).toEqual([
    { question: "label", column: "label", firstLevel: 1 },
  ])
})

test("names of suggested questions are valid and free", async () => {
  const { set, valuesOf } = await open("Is refund?,Is refund!,Wöchentlich,回答\nyes,no,yes,no\nno,yes,no,yes\n")
  expect(
    suggestQuestions(set.columns, valuesOf, ["Is_refund_"]).map(({ question, column }) => [question.name, column]),
  ).toEqual([
    ["Is_refund__2", "Is refund?"],
    ["Is_refund__3", "Is refund!"],
    ["W_chentlich", "Wöchentlich"],
    ["_", "回答"],
  ])
})

test("a list of 77 options is suggested where rows repeat them, and a column of different texts is not", async () => {
  const texts = Array.from({ length: 308 }, (_, at) => `intent ${at % 77}`)
  expect(await kindsOf(columnOf(...texts))).toEqual(["a choice between 77 options"])
  expect(await kindsOf(columnOf(...Array.from({ length: 100 }, (_, at) => `id ${at}`)))).toEqual([])
})

test("for a single question the only column that fits is guessed, and of several none", async () => {
  const { set, valuesOf } = await open("text,first,second,team\na,yes,no,x\nb,no,yes,y\nc,no,yes,z\n")
  const form = formOf([emptyQuestion("noul", "refund")])
  const [question] = labelledQuestionsOf(form)
  const columns = set.columns.slice(1)
  expect(question && fittingColumns(question, columns, valuesOf)).toEqual(["first", "second"])
  expect(guessLabels(form, columns, valuesOf)).toEqual([])
  expect(guessLabels(form, ["second", "team"], valuesOf)).toEqual([
    { question: "refund", column: "second", firstLevel: 0 },
  ])
})
