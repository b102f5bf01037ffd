import type { RefusedSize } from "./failures"

/** How many options of each question fit in an engine's batch and context. For one request. */
export class FewerOptions {
  /** By question: the options and tokens of its first refused prompt. */
  readonly #first = new Map<string, { options: number; tokens: number }>()
  readonly #max = new Map<string, number>()

  /** Returns the maximum number of options to ask at once. Another question's refusal does not change it. */
  of(question: string): number {
    return this.#max.get(question) ?? Number.POSITIVE_INFINITY
  }

  /**
   * Records that the engine refused `options` of a question for their size. Returns whether fewer can fit. False when state
   * and instructions alone are too long.
   */
  refused(question: string, options: number, size: RefusedSize): boolean {
    const most = this.#mostAfter(question, options, size)
    if (most !== null) this.#max.set(question, Math.min(most, this.of(question)))
    return most !== null
  }

  /** Without token counts, half as many. Two counts show what each option takes. */
  #mostAfter(question: string, options: number, { of, tokens, context }: RefusedSize): number | null {
    if (options <= 2) return null
    const half = Math.ceil(options / 2)
    if (of === "batch") return half
    if (tokens === null || context === null) return null
    const first = this.#first.get(question)
    if (!first) this.#first.set(question, { options, tokens })
    if (!first || first.options <= options) return half
    const each = (first.tokens - tokens) / (first.options - options)
    const most = Math.floor(options - (tokens - context) / each)
    return each > 0 && most >= 2 ? Math.min(most, options - 1) : null
  }
}
