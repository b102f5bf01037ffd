import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import type { Table } from "@/lib/shared/evaluate/rows/evaluation-set"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"

/** The rows arrive in pieces, so that no single message blocks the page. */
const PIECE_ROWS = 1_000

export type RowsMessage =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  | { type: "ready" }
  | { type: "read"; bytes: number }
  | { type: "rows"; rows: Table["rows"] }
  | { type: "done"; table: Omit<Table, "rows"> }
  | { type: "bad_file"; message: string; canSample: boolean }

/** The file to read. */
export interface RowsRequest {
  file: Blob
  name: string
  isSample: boolean
}

const send = (message: RowsMessage) => postMessage(message)

async function read({ file, name, isSample }: RowsRequest): Promise<void> {
  let reported = 0
  const onRead = (bytes: number) => {
    if (bytes - reported < file.size / 50) return
    reported = bytes
    send({ type: "read", bytes })
  }
  const { rows, ...table } = await readTable(file, name, { onRead, isSample })
  for (let at = 0; at < rows.length; at += PIECE_ROWS) send({ type: "rows", rows: rows.slice(at, at + PIECE_ROWS) })
  send({ type: "done", table })
}

addEventListener("message", ({ data }: MessageEvent<RowsRequest>) => {
  read(data).catch((error: unknown) => {
    const message = error instanceof BadFile ? error.message : "The file could not be read. Choose it again."
    send({ type: "bad_file", message, canSample: error instanceof FileOverLimit })
  })
})

send({ type: "ready" })
