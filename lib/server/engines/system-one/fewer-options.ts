import type { RefusedSize } from "./failures"

/** Finds the number of options of each question that fit in an engine's batch and context. One instance per request. */
export class FewerOptions {
  /** By question: the options and tokens of its first refused prompt. */
  readonly #first = new Map<string, { options: number; tokens: number }>()
  readonly #max = new Map<string, number>()

  /** Returns the maximum number of options to ask at once. Another question's refusal does not change it. */
  of(question: string): number {
    return this.#max.get(question) ?? Number.POSITIVE_INFINITY
  }

  /**
   * Records that the engine refused `options` of a question for their size. Returns whether to ask for fewer. False when state
   * and instructions alone are too long, or when the engine does not report how long the prompt is.
   */
  refused(question: string, options: number, size: RefusedSize): boolean {
    const max = this.#maxAfter(question, options, size)
    if (max !== null) this.#max.set(question, Math.min(max, this.of(question)))
    return max !== null
  }

  /** Returns half as many, or as many as fit by the tokens of two refused prompts. Null: see `refused`. */
  #maxAfter(question: string, options: number, { of, tokens, context }: RefusedSize): number | null {
    if (options <= 2) return null
    const half = Math.ceil(options / 2)
    if (of === "batch") return half
    if (tokens === null || context === null) return null
    const first = this.#first.get(question)
    if (!first) this.#first.set(question, { options, tokens })
    if (!first || first.options <= options) return half
    const each = (first.tokens - tokens) / (first.options - options)
    const max = Math.floor(options - (tokens - context) / each)
    return each > 0 && max >= 2 ? Math.min(max, options - 1) : null
  }
}
