import type { Members } from "@/questions/engine-wire"
import type { Transport } from "../system-one/transport"
import type { BilledText } from "../token-count"

export interface ChatMessage {
  role: "system" | "user"
  content: string
}

export interface LabelRequest {
  /** Token ids of the whole prompt. */
  prompt: readonly number[]
  /** Token ids to get the log-weights of, at most `labelsPerCall`. */
  labels: readonly number[]
  /** Separates the engine's prefix cache by account. Null: shared. */
  cacheSalt: string | null
}

/** How likely each requested label is as the next token after a prompt. */
export interface LabelResult {
  /**
   * The natural logarithm of each label's probability, up to a constant, in the order requested. -Infinity for an impossible
   * label. Reads of one prompt share the constant, so that the softmax over all of them is exact.
   */
  logWeights: number[]
  /** How many prompt tokens the engine reports to have read. */
  promptTokens: number
}

/** How one family of engines tokenizes, renders a chat and reports the probabilities of given tokens. */
export interface LabelDialect {
  readonly labelsPerCall: number
  /** Returns the tokens of a chat template's text. Special tokens in it are read as such. */
  templateIds(text: string, signal: AbortSignal): Promise<number[]>
  /** Returns the tokens of a client's text. None of them is a special token, whatever the text says. */
  clientIds(text: BilledText, signal: AbortSignal): Promise<number[]>
  /**
   * Renders messages with the model's chat template, up to where the model's answer begins, with thinking off. Templates that
   * accept a date get this one. Null: they write their own.
   */
  chatText(messages: ChatMessage[], date: string | null, signal: AbortSignal): Promise<string>
  /** Returns the log-weights of the labels. Rejects with the errors of `Engine.answer`, such as `upstream_error`. */
  read(ask: LabelRequest, signal: AbortSignal): Promise<LabelResult>
  /**
   * Checks that the engine reports as many labels as `read` requests, with the model's own probabilities: not changed by
   * sampling settings or a grammar. `unlikely` is a label that the model certainly does not write next. Throws `Unusable`
   * with one sentence that says what to change.
   */
  check(ask: LabelRequest, unlikely: number, signal: AbortSignal): Promise<LabelCheck>
}

/** The engine's answer to a probe's test question. */
export interface LabelCheck {
  /** The log-probabilities of the first two labels. */
  logWeights: number[]
  /** The probability that the next token is one of these two. */
  mass: number
  /** The text of the token that the model would write next. */
  written: string
}

/** A model that an engine lists. */
export interface ServedModel {
  transport: Transport
  name: string
  /** Its entry in `GET /v1/models`. */
  entry: Members
  /** Returns the members of the engine's JSON at a path, none when it has no such route. */
  read(path: string): Promise<Members>
}

/** One family of engines whose labels can be read: a file of its own, named in `find-dialect.ts`. */
export interface LabelFamily {
  name: string
  /** What the engine writes as `owned_by` about a model. */
  owner: string
  /** Whether accounts share its prefix cache, because it ignores the cache's salt. */
  sharesCache: boolean
  /** Returns null when the engine is of another family. Throws `Unusable` when its model cannot be used. */
  find(model: ServedModel): Promise<Omit<FoundDialect, "family" | "served"> | null>
}

/** An engine that a probe recognised. */
export interface FoundDialect {
  family: LabelFamily
  dialect: LabelDialect
  /** The model name that requests send to the engine. */
  served: string
  /** Family, version, and the name of the model or its file where the engine reports it. llama.cpp adds its size. */
  build: string
  /** The longest prompt plus the one token that a read generates. */
  contextTokens: number
  /** How many prompts the engine reads at once. Undefined when it does not report this. */
  slots?: number
}
