import { ServiceError } from "@/lib/shared/errors"
import { ConnectionFailure } from "./breaker"

/** Thrown when the engine cannot be used. The message is for the operator. */
export class Unusable extends Error {}

/** Explains to the operator why a probe failed. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Unusable) return thrown.message
  if (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)
    return `The engine does not answer: ${thrown.cause.kind}.`
  if (thrown instanceof ServiceError && thrown.code === "upstream_timeout")
    return "The engine did not answer the probe in time."
  return "The engine's response to the probe could not be read."
}
