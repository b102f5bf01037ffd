import { ServiceError } from "@/lib/shared/errors"

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

/**
 * A controller that aborts when `signal` does, with its reason, and may be aborted before; `unlink` it when it is no longer
 * needed. `AbortSignal.any` would do, at ten times the price.
 */
export function linkedTo(signal: AbortSignal): { controller: AbortController; unlink(): void } {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  signal.addEventListener("abort", follow)
  if (signal.aborted) follow()
  return { controller, unlink: () => signal.removeEventListener("abort", follow) }
}
