import { hashOf } from "@/lib/shared/evaluate/export/hash"
import type { RunData } from "@/lib/shared/evaluate/export/judged-questions"
import { type SignOffRecord, signOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { askedRows } from "@/lib/shared/evaluate/run/asked-rows"
import { resultsOf, rowsOf } from "../model/evaluation-store"

// Makes a record in a worker: the hashes of 20,000 rows take a while.

/** Rows and results are read from the browser's storage. */
export type RecordRequest = Pick<RunData, "set" | "run"> & Pick<SignOffRecord, "madeAt" | "person">

export interface HashedRecord {
  record: SignOffRecord
  /** Of the record's canonical JSON, in hex. It is what the installation signs. */
  sha256: string
}

export type RecordMessage =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  | { type: "ready" }
  /** Null when no answered row has a label. */
  | { type: "record"; made: HashedRecord | null }
  | { type: "failed" }

const send = (message: RecordMessage) => postMessage(message)

async function make({ set, run, madeAt, person }: RecordRequest): Promise<HashedRecord | null> {
  const [rows, results] = await Promise.all([rowsOf(set.id), resultsOf(run.id)])
  const record = signOffRecord({ set, run, rows, results, asked: askedRows(set, rows, run) }, { madeAt, person })
  return record && { record, sha256: hashOf(record) }
}

addEventListener("message", ({ data }: MessageEvent<RecordRequest>) => {
  make(data).then(
    (made) => send({ type: "record", made }),
    () => send({ type: "failed" }),
  )
})
send({ type: "ready" })
