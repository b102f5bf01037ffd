import type { HashedRecord, RecordMessage, RecordRequest } from "./record-worker"

/** Makes a record in a worker. Null when no answered row has a label. Rejects when a text has no canonical form. */
export function makeRecord(request: RecordRequest): Promise<HashedRecord | null> {
  const worker = new Worker(new URL("./record-worker.ts", import.meta.url), { type: "module" })
  return new Promise<HashedRecord | null>((resolve, reject) => {
    worker.onerror = () => reject(new Error("The worker of the record failed."))
    worker.onmessage = ({ data }: MessageEvent<RecordMessage>) => {
      if (data.type === "ready") worker.postMessage(request)
      else if (data.type === "record") resolve(data.made)
      else reject(new Error("The record cannot be made."))
    }
  }).finally(() => worker.terminate())
}
