import { linkedTo } from "@/lib/server/engines/abort"

/** A limit is counted in this many steps. */
const STEPS = 8

/**
 * Runs `work` with a signal that aborts with `signal`, or after `ms` in which this process could read replies. Between two steps of
 * the limit, Node reads what arrived. So a process that was busy or paused for longer than the limit still reads its reply, up to the
 * pool's own limit for a statement.
 */
export async function withinMs<Result>(
  ms: number,
  signal: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, unlink } = signal ? linkedTo(signal) : { controller: new AbortController(), unlink: () => {} }
  let steps = 0
  const step = () => {
    if (++steps === STEPS) controller.abort(new Error("the database did not reply in time"))
    else timer = setTimeout(step, ms / STEPS)
  }
  let timer = setTimeout(step, ms / STEPS)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    unlink()
  }
}
