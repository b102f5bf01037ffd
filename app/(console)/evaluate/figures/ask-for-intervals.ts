import type { IntervalMessage, IntervalRequest } from "./interval-worker"

export type FoundIntervals = Omit<Extract<IntervalMessage, { type: "intervals" }>, "type">

/** A worker whose code fails to load does not always report an error. */
const LOAD_MS = 30_000

interface Listener {
  onFound: (found: FoundIntervals) => void
  /** The worker cannot run, or has not loaded within 30 seconds. If it loads after all, `onFound` follows. */
  onFailed: () => void
}

/** Computes intervals in a worker. Returns a function that ends it. */
export function askForIntervals(request: IntervalRequest, { onFound, onFailed }: Listener): () => void {
  const worker = new Worker(new URL("./interval-worker.ts", import.meta.url), { type: "module" })
  const deadline = setTimeout(onFailed, LOAD_MS)
  const end = () => {
    clearTimeout(deadline)
    worker.terminate()
  }
  worker.onerror = () => {
    end()
    onFailed()
  }
  worker.onmessage = ({ data: message }: MessageEvent<IntervalMessage>) => {
    clearTimeout(deadline)
    if (message.type === "ready") return worker.postMessage(request)
    const { type: _, ...found } = message
    end()
    onFound(found)
  }
  return end
}
