import { ServiceError } from "@/lib/shared/errors"
import { BadResponse } from "@/questions/engine-wire"
import { ConnectionFailure } from "./breaker"
import { EngineRefusal } from "./engine-refusal"

/** Thrown when the engine cannot be used. The message is for the operator. */
export class Unusable extends Error {}

/** Thrown when the engine answered the probe's own question, but the answer cannot be used. */
export class WrongAnswer extends Unusable {}

/** Returns whether a probe failed because of an answer, and not because the engine could not answer now. */
export const isWrongAnswer = (thrown: unknown): boolean =>
  thrown instanceof WrongAnswer || (thrown instanceof ServiceError && thrown.cause instanceof BadResponse)

/** Returns a text after a colon, or "". */
export const after = (text: string): string => (text ? `: ${text}` : "")

/** Explains to the operator why a probe failed. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Unusable) return thrown.message
  if (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)
    return `The engine does not answer: ${thrown.cause.kind}.`
  if (thrown instanceof ServiceError && thrown.code === "upstream_timeout")
    return "The engine did not answer the probe in time."
  const cause = thrown instanceof ServiceError ? thrown.cause : null
  if (cause instanceof EngineRefusal)
    return `The engine refused a question of the probe (HTTP ${cause.status})${after(cause.saidToProbe())}.`
  if (cause instanceof BadResponse) return `The engine's response to the probe cannot be used: ${cause.message}.`
  return "The engine's response to the probe could not be read."
}
