import { linkedTo } from "@/lib/server/engines/abort"

/** Runs `work` with a signal that aborts with `signal`, or after `ms`. */
export async function withinMs<Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, unlink } = linkedTo(signal)
  const timer = setTimeout(() => controller.abort(new Error("the database did not reply in time")), ms)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    unlink()
  }
}
