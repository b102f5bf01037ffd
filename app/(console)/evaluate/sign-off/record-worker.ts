import type { RunData } from "@/lib/shared/evaluate/export/judged-questions"
import { type SignOffRecord, signOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { askedRows } from "@/lib/shared/evaluate/run/asked-rows"
import { resultsOf, rowsOf } from "../model/evaluation-store"

// Makes a record in a worker: the hashes of 20,000 rows take a while.

/** Rows and results are read from the browser's storage. */
export type RecordRequest = Pick<RunData, "set" | "run"> & Pick<SignOffRecord, "madeAt" | "person">

export type RecordMessage =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  | { type: "ready" }
  /** Null when no answered row has a label. */
  | { type: "record"; record: SignOffRecord | null }
  | { type: "failed" }

const send = (message: RecordMessage) => postMessage(message)

async function make({ set, run, madeAt, person }: RecordRequest): Promise<SignOffRecord | null> {
  const [rows, results] = await Promise.all([rowsOf(set.id), resultsOf(run.id)])
  return signOffRecord({ set, run, rows, results, asked: askedRows(set, rows, run) }, { madeAt, person })
}

addEventListener("message", ({ data }: MessageEvent<RecordRequest>) => {
  make(data).then(
    (record) => send({ type: "record", record }),
    () => send({ type: "failed" }),
  )
})
send({ type: "ready" })
