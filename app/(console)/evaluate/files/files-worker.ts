import { hashOf } from "@/lib/shared/evaluate/export/hash"
import type { RunData } from "@/lib/shared/evaluate/export/judged-questions"
import { judgedQuestions } from "@/lib/shared/evaluate/export/judged-questions"
import { readSetFile, setOfFile, writeSetFile } from "@/lib/shared/evaluate/export/set-file"
import { type SignOffRecord, signOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { testInputOf } from "@/lib/shared/evaluate/export/test-input"
import { describeAcceptance, writeReport } from "@/lib/shared/evaluate/export/write-report"
import { writeResultsCsv } from "@/lib/shared/evaluate/export/write-results-csv"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import { askedRows } from "@/lib/shared/evaluate/run/asked-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { type ExportedTest, exportTest } from "@/lib/shared/export-code/export-test"
import { addSet, contentsOf, isOutOfRoom, resultsOf, rowsOf } from "../model/evaluation-store"

// Reads and writes the files of a set in a worker: a set of 20,000 rows has tens of megabytes. The page sends the set and the run as it
// shows them, and the worker reads rows and results from the browser's storage.

interface Shown {
  set: EvaluationSet
  run: EvaluationRun
}

export interface HashedRecord {
  record: SignOffRecord
  /** Of the record's canonical JSON, in hex. It is what the installation signs. */
  sha256: string
}

/** What an exported test checks of a question. */
interface ShownCheck {
  question: string
  figure: string
  isAccepted: boolean
}

/** Each job with its result. */
export interface FileJobs {
  /** Stores the set in an exported file, or nothing. */
  import: [
    job: { file: Blob; accountId: string },
    result: { setId: string } | { message: string } | { outOfRoom: true },
  ]
  set: [job: { set: EvaluationSet }, result: Blob]
  results: [job: Shown, result: Blob]
  report: [job: Shown, result: Blob]
  /** Null when no answered row has a label. */
  test: [job: Shown & { baseUrl: string }, result: { test: ExportedTest; checks: ShownCheck[] } | null]
  /** Null when no answered row has a label. Fails when a text has no canonical form. */
  record: [job: Shown & Pick<SignOffRecord, "madeAt" | "person">, result: HashedRecord | null]
}

export type FileJob = { [Kind in keyof FileJobs]: { kind: Kind } & FileJobs[Kind][0] }[keyof FileJobs]

export type FromFilesWorker =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  { type: "ready" } | { type: "done"; result: FileJobs[keyof FileJobs][1] } | { type: "failed" }

async function dataOf({ set, run }: Shown): Promise<RunData> {
  const [rows, results] = await Promise.all([rowsOf(set.id), resultsOf(run.id)])
  return { set, run, rows, results, asked: askedRows(set, rows, run) }
}

async function importSet({ file, accountId }: FileJobs["import"][0]): Promise<FileJobs["import"][1]> {
  const read = readSetFile(await file.text())
  if (!read.ok) return { message: read.message }
  const { set, contents } = setOfFile(accountId, read.file)
  try {
    await addSet(set, contents)
    return { setId: set.id }
  } catch (error) {
    if (isOutOfRoom(error)) return { outOfRoom: true }
    throw error
  }
}

async function testOf(job: FileJobs["test"][0]): Promise<FileJobs["test"][1]> {
  const data = await dataOf(job)
  const input = testInputOf(data, job.baseUrl)
  if (!input) return null
  const checks = judgedQuestions(data).flatMap((judged) =>
    describeAcceptance(judged).map((figure) => {
      return { question: judged.question.name, figure, isAccepted: judged.isAccepted }
    }),
  )
  return { test: exportTest(input), checks }
}

async function recordOf(job: FileJobs["record"][0]): Promise<FileJobs["record"][1]> {
  const record = signOffRecord(await dataOf(job), job)
  return record && { record, sha256: hashOf(record) }
}

async function resultOf(job: FileJob): Promise<FileJobs[keyof FileJobs][1]> {
  switch (job.kind) {
    case "import":
      return importSet(job)
    case "set":
      return new Blob([writeSetFile(job.set, await contentsOf(job.set.id))], { type: "application/json" })
    case "results":
      return new Blob([writeResultsCsv(await dataOf(job))], { type: "text/csv" })
    case "report":
      return new Blob([writeReport(await dataOf(job))], { type: "text/markdown" })
    case "test":
      return testOf(job)
    case "record":
      return recordOf(job)
  }
}

const send = (message: FromFilesWorker) => postMessage(message)

addEventListener("message", ({ data }: MessageEvent<FileJob>) => {
  resultOf(data).then(
    (result) => send({ type: "done", result }),
    () => send({ type: "failed" }),
  )
})

send({ type: "ready" })
