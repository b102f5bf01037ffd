import { BadFile } from "@/lib/shared/evaluate/rows/bad-file"
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
  | { type: "bad_file"; message: string }

const send = (message: RowsMessage) => postMessage(message)

async function read(file: Blob, name: string): Promise<void> {
  let reported = 0
  const { rows, ...table } = await readTable(file, name, (bytes) => {
    if (bytes - reported < file.size / 50) return
    reported = bytes
    send({ type: "read", bytes })
  })
  for (let at = 0; at < rows.length; at += PIECE_ROWS) send({ type: "rows", rows: rows.slice(at, at + PIECE_ROWS) })
  send({ type: "done", table })
}

addEventListener("message", ({ data }: MessageEvent<{ file: Blob; name: string }>) => {
  read(data.file, data.name).catch((error: unknown) => {
    const message = error instanceof BadFile ? error.message : "The file could not be read. Choose it again."
    send({ type: "bad_file", message })
  })
})

send({ type: "ready" })
