import type { BilledText } from "../token-count"

export interface ChatMessage {
  role: "system" | "user"
  content: string
}

export interface LabelAsk {
  /** Token ids of the whole prompt. */
  prompt: readonly number[]
  /** Token ids whose weights are wanted, at most `labelsPerCall`. */
  labels: readonly number[]
  /** Separates the engine's prefix cache by account. Null: shared. */
  cacheSalt: string | null
}

/** The next token's distribution after a prompt, for the labels asked. */
export interface LabelRead {
  /**
   * The natural logarithm of each label's weight, in order; -Infinity for an impossible one. Reads of one prompt share
   * their normaliser, so that the softmax over all of them is exact.
   */
  logs: number[]
  /** How many prompt tokens the engine reports to have read. */
  promptTokens: number
}

/** How one family of engines tokenizes, renders a chat and reports the probabilities of given tokens. */
export interface LabelDialect {
  readonly family: "vLLM" | "SGLang" | "llama.cpp"
  readonly labelsPerCall: number
  /** Returns the tokens of a chat template's text. Special tokens in it are read as such. */
  templateIds(text: string, signal: AbortSignal): Promise<number[]>
  /** Returns the tokens of a client's text. None of them is a special token, whatever the text says. */
  clientIds(text: BilledText, signal: AbortSignal): Promise<number[]>
  /** Renders messages with the model's chat template, up to where the model's answer begins, with thinking off. */
  chatText(messages: ChatMessage[], signal: AbortSignal): Promise<string>
  /** Throws like `Engine.answer`. */
  read(ask: LabelAsk, signal: AbortSignal): Promise<LabelRead>
  /**
   * Checks that the engine honours what `read` relies on. `unlikely` is a label that the model certainly does not write
   * next. Throws `Unusable` with one sentence that says what to change.
   */
  check(ask: LabelAsk, unlikely: number, signal: AbortSignal): Promise<LabelCheck>
}

/** What a probe learns about the answer to a small question. */
export interface LabelCheck {
  logs: number[]
  /** The probability that the next token is one of the labels. */
  mass: number
  /** What the model would write. */
  written: string
}

/** An engine that a probe recognised. */
export interface FoundDialect {
  dialect: LabelDialect
  served: string
  /** Family, version, and the path of the weights where the engine reports it. */
  build: string
  /** The longest prompt plus one token. */
  contextTokens: number
  slots?: number
}
