import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import type { Table } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { RowsMessage, RowsRequest } from "./rows-worker"

/** Reads a file in a worker. `onRead` receives the share read so far, from 0 to 1. Rejects as `readTable`. */
export function readInWorker(request: RowsRequest, onRead: (share: number) => void): Promise<Table> {
  const worker = new Worker(new URL("./rows-worker.ts", import.meta.url), { type: "module" })
  const rows: Table["rows"] = []
  return new Promise<Table>((resolve, reject) => {
    worker.onerror = () => reject(new BadFile("The file could not be read. Reload the page and choose it again."))
    // The worker sends "ready" once it has loaded. The table comes last, without its rows, which came before in parts.
    worker.onmessage = ({ data }: MessageEvent<RowsMessage>) => {
      if (data.type === "ready") worker.postMessage(request)
      else if (data.type === "read") onRead(data.bytes / request.file.size)
      else if (data.type === "rows") rows.push(...data.rows)
      else if (data.type === "done") resolve({ ...data.table, rows })
      else reject(data.canSample ? new FileOverLimit(data.message) : new BadFile(data.message))
    }
  }).finally(() => worker.terminate())
}
