import type { JsonText } from "@/lib/shared/json/text"

export type BilledText = JsonText | string

/** What counts the tokens of texts, each alone: an engine's own `/tokenize`, or a tokenizer of this service's. */
export interface TokenSource {
  /** The tokens of each text, in order; no special tokens. Rejects with a `ServiceError` of step 8 or the abort's reason. */
  count(texts: BilledText[], signal: AbortSignal): Promise<number[]>
  /** The most tokens a text can have; null where only counting it tells. */
  most(text: BilledText): number | null
  /** The fewest tokens a text can have, as far as that can be told without counting it. */
  least(text: BilledText): number
  /** Told when a text had more tokens than `most` said: nothing may rely on that any more. */
  exceeded(): void
  close(): Promise<void>
}
