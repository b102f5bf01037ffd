import { writeSetFile } from "@/lib/shared/evaluate/export/set-file"
import type { RowResult, RunContents } from "@/lib/shared/evaluate/run/evaluation-run"
import { asText } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { QuestionForm } from "@/questions/question-form"
import { newRun, newSet } from "@/test/scripted-run"
import { MODEL } from "./requests"

interface AnsweredSet {
  questions: readonly QuestionForm[]
  /** The label of each question in each row. Empty for a row without one. */
  labels: readonly string[][]
  /** The probabilities of each question in each row, for each run. The newest run comes first. */
  runs: readonly number[][][][]
  /** A further column of the file. */
  extra?: { column: string; values: readonly string[] }
}

/** Returns the exported file of a set with finished runs. All rows have different states. */
export function setFileOf({ questions, labels, runs, extra }: AnsweredSet): Buffer {
  const form: RequestForm = { model: MODEL, keyId: "", state: asText(""), questions: [...questions] }
  const columns = ["text", ...questions.map(({ name }) => name), ...(extra ? [extra.column] : [])]
  const mapping = {
    state: { kind: "column" as const, column: "text" },
    labels: questions.map(({ name }) => ({ question: name, column: name, firstLevel: 0 as const })),
  }
  const rowCount = labels.length
  const finished = runs.map((answers, at): RunContents => {
    const id = `run ${runs.length - at}`
    const results = answers.map(
      (answers, row): RowResult => ({
        runId: id,
        row,
        status: "answered",
        answers,
        tokens: 40,
        costUsd: "0.000040000000",
        requestId: null,
        latencyMs: 20,
      }),
    )
    const totals = { answered: rowCount, failed: 0, inDoubt: 0, tokens: rowCount * 40, costUsd: "0.800000000000" }
    const run = newRun({ id, form, mapping, pinnedId: MODEL, status: "finished", rowCount, totals })
    return { run, plan: labels.map((_, row) => row), results }
  })
  const rows = labels.map((cells, index) => ({
    index,
    line: index + 2,
    cells: [`Message ${index} about my order`, ...cells, ...(extra ? [extra.values[index] ?? ""] : [])],
  }))
  const set = newSet(newRun({ form, mapping }), { columns, rowCount })
  return Buffer.from(writeSetFile(set, { rows, runs: finished }))
}
