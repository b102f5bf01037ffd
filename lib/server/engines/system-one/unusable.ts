/** Why the engine cannot be used, in words for the operator. */
export class Unusable extends Error {}

export type Members = Record<string, unknown>

/** The members of a JSON object's text; none when it is something else. */
export function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Members) : {}
  } catch {
    return {}
  }
}

/** The objects in a JSON list; none when it is something else. */
export const listOf = (value: unknown): Members[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : []

/** Throws when a probe's call was refused for its key, or because the engine is still loading. */
export function refuseStatus(status: number): void {
  if (status === 401 || status === 403) throw new Unusable(`The engine refuses its API key (HTTP ${status}).`)
  if (status === 503) throw new Unusable("The engine is not ready: it is loading its model (HTTP 503).")
}
