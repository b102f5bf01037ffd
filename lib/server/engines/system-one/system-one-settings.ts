import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { QuestionTypeName } from "@/questions/question-types"
import type { SlotQueue } from "../slot-queue"
import type { TokenCount } from "../token-count"
import type { Tokenizers } from "../tokenizer/tokenizers"
import type { ReadLength } from "./read-length"
import type { StateForm } from "./state-form"

/** Receives what an engine's answers show about it. */
interface AnswerObserver {
  labelMass(type: QuestionTypeName, mass: number): void
  /** Called at most once between two probes. */
  clamped(): void
}

export interface SystemOneSettings {
  /** The address without `/v1`. */
  url: string
  /** The name under which the engine serves the model. Null when it serves only one model. */
  model: string | null
  /** How tokens are counted (`counterFor`). */
  tokenizer: string | null
  /** This service's own tokenizers. Required for a model that is pinned to one. */
  tokenizers?: Tokenizers
  apiKey: string | null
  /** The Unix socket of the service's own engine. By default the engine listens at the address. */
  socketPath?: string | null
  /** The maximum tokens of state, one question and the fixed prompt together. Null: what the engine accepts. */
  inputLimit?: number | null
  /** The pinned form of states. Null until a probe has determined it. */
  states?: StateForm | null
  /** How much of an input the engine reads, as pinned. Null until a probe has found it out, and for an engine that reports its context. */
  reads?: ReadLength | null
  /**
   * The control tokens to break up, as pinned. Null until a probe has found them. Absent for an id whose texts are written without
   * them.
   */
  marks?: string | null
  /** Whether the engine reported a label mass, as pinned. An answer without one is then refused. False by default. */
  reportsLabelMass?: boolean
  /** The slots of the engine at this address. */
  slots?: SlotQueue
  /** Counted tokens of requests, which all addresses of a model share. */
  counts?: WeakMap<CheckedRequest, Promise<TokenCount>>
  /** Returns the value under which an engine caches an account's prompts. Null or absent: accounts share a cache. */
  cacheSalt?: ((accountId: string) => string) | null
  /** The label mass from which on an answer is used, 0 to 1. 0 by default. */
  labelMassMin?: number
  observer?: AnswerObserver
}
