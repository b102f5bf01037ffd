import { linkedTo } from "@/lib/server/engines/abort"
import { afterReadableMs } from "@/lib/server/platform/readable-time"

/** Runs `work` with a signal that aborts with `signal`, or after `ms` in which this process could read replies. */
export async function withinMs<Result>(
  ms: number,
  signal: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, unlink } = signal ? linkedTo(signal) : { controller: new AbortController(), unlink: () => {} }
  const cancel = afterReadableMs(ms, () => controller.abort(new Error("the database did not reply in time")))
  try {
    return await work(controller.signal)
  } finally {
    cancel()
    unlink()
  }
}
