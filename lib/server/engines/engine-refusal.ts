const SHOWN_CHARACTERS = 200

/** Returns the first 200 printable characters of an engine's text in quotes, or "" when there are none. */
export function shownText(text: string): string {
  // A long body is cut before it is searched.
  const printable = text
    .slice(0, 20 * SHOWN_CHARACTERS)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
  const shown = [...printable].slice(0, SHOWN_CHARACTERS).join("")
  return shown ? `"${shown}"` : ""
}

/**
 * The cause of an error for which the engine sent an error status. Log lines show `code`: the status and the known phrase that
 * was found. The engine's text may quote a client's and is kept for probes alone, which ask the service's own questions.
 */
export class EngineRefusal extends Error {
  readonly code: string
  readonly #said: () => string

  constructor(
    readonly status: number,
    phrase: string,
    said: () => string,
  ) {
    super(`the engine refused (HTTP ${status})`)
    this.name = "EngineRefusal"
    this.code = phrase ? `HTTP ${status}, ${phrase}` : `HTTP ${status}`
    this.#said = said
  }

  /** Returns the beginning of the engine's text about a question of a probe, in quotes. */
  saidToProbe(): string {
    return shownText(this.#said())
  }
}
