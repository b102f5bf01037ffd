import type { FileJobs, FromFilesWorker } from "./files-worker"

/** Reads or writes a file of a set in a worker. Rejects when the worker cannot run, and when the browser cannot read the rows. */
export function doInWorker<Kind extends keyof FileJobs>(
  kind: Kind,
  job: FileJobs[Kind][0],
): Promise<FileJobs[Kind][1]> {
  const worker = new Worker(new URL("./files-worker.ts", import.meta.url), { type: "module" })
  return new Promise<FileJobs[Kind][1]>((resolve, reject) => {
    const fail = () => reject(new Error("The file could not be made or read."))
    worker.onerror = fail
    worker.onmessage = ({ data }: MessageEvent<FromFilesWorker>) => {
      if (data.type === "ready") worker.postMessage({ kind, ...job })
      else if (data.type === "done") resolve(data.result as FileJobs[Kind][1])
      else fail()
    }
  }).finally(() => worker.terminate())
}
