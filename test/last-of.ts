/** Returns the result of a computation after all its steps. */
export function lastOf<Result>(steps: Iterator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
