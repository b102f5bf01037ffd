/** Settles like `work`, or rejects with the abort's reason as soon as `signal` aborts. It does not stop `work`. */
export function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort)
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
