const SLICE_MS = 8

/**
 * Runs the steps of a long computation a few milliseconds at a time, so that the page responds meanwhile. Resolves to its result, or
 * to undefined once the signal is aborted.
 */
export async function runInSlices<Result>(
  steps: Iterator<undefined, Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  for (;;) {
    const until = performance.now() + SLICE_MS
    let step = steps.next()
    while (!step.done && performance.now() < until) step = steps.next()
    if (signal.aborted) return undefined
    if (step.done) return step.value
    await new Promise((resolve) => setTimeout(resolve))
  }
}
