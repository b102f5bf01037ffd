import { ServiceError } from "../errors"

/** What to throw for an aborted signal: `upstream_timeout` when its time ran out, otherwise the abort's own reason. */
export function abortError(signal: AbortSignal): unknown {
  const { reason } = signal
  if (reason instanceof Error && reason.name === "TimeoutError" && !(reason instanceof ServiceError))
    return new ServiceError("upstream_timeout", { cause: reason })
  return reason
}

/** Throws what `abortError` says when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal)
}
