import type { BilledText } from "../token-count"

/** What `ClientTokens` needs of an engine whose tokenizer always reads special tokens. */
export interface PlainTokens {
  idsOf(text: BilledText, signal: AbortSignal): Promise<number[]>
  /** Returns how the tokenizer writes each of the text's tokens. */
  namesOf(text: BilledText, ids: number[], signal: AbortSignal): Promise<string[]>
}

/** The shape of tokens that mark turns, tools or images, such as `<|im_end|>`, `</s>` and `[/INST]`. */
const MARKUP = /^(?:<[^<>\n]*\p{L}[^<>\n]*>|\[\/?[A-Za-z_][A-Za-z0-9_]*\])$/u
/** A byte that is not in the vocabulary. It is part of ordinary text. */
const BYTE = /^<0x[0-9A-F]{2}>$/

/**
 * Tokenizes clients' texts with a tokenizer that turns a written `<|im_end|>` into the special token. Such a token is replaced
 * by the tokens of its first character and of the rest. So a text can never end the prompt's turn.
 */
export class ClientTokens {
  /** By token id: null for an ordinary token, otherwise what replaces it. */
  readonly #known = new Map<number, number[] | null>()

  constructor(private readonly tokens: PlainTokens) {}

  async idsOf(text: BilledText, signal: AbortSignal): Promise<number[]> {
    const ids = await this.tokens.idsOf(text, signal)
    if (ids.some((id) => !this.#known.has(id))) await this.#learn(text, ids, signal)
    if (!ids.some((id) => this.#known.get(id))) return ids
    return ids.flatMap((id) => this.#known.get(id) ?? id)
  }

  async #learn(text: BilledText, ids: number[], signal: AbortSignal): Promise<void> {
    const names = await this.tokens.namesOf(text, ids, signal)
    for (const [i, id] of ids.entries()) {
      if (this.#known.has(id)) continue
      const name = names[i] ?? ""
      this.#known.set(id, MARKUP.test(name) && !BYTE.test(name) ? await this.#apart(name, signal) : null)
    }
  }

  async #apart(name: string, signal: AbortSignal): Promise<number[]> {
    return [...(await this.idsOf(name.slice(0, 1), signal)), ...(await this.idsOf(name.slice(1), signal))]
  }
}
