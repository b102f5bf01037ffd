import type { Authorize } from "@/lib/server/platform/authority"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { type RawAnswer, typeOf } from "@/questions/question-types"
import type { PinnedFacts } from "./pinned-facts"
import type { TokenCount } from "./token-count"

/** The kind of engine that answers for a model: keyword rules, an engine with a decision route, or an ordinary model read by its labels. */
export type EngineKind = "lexical" | "system-one" | "labels"

/** Something that a probe found, for the operator. */
export interface Finding {
  name: string
  value: string
  /** What it means for requests, as a sentence. */
  meaning: string
}

export interface ProbeResult {
  available: boolean
  /** Why the engine is unavailable. Only the operator sees it. */
  reason?: string
  /**
   * The build that the engine reports. The first one seen is recorded in the model's pinned settings. A failed probe also
   * returns the build and the facts that it read.
   */
  build?: string
  /** Facts that identify the weights. The first matching probe that reports a fact pins it to the id. */
  facts?: PinnedFacts
  /** True for a failed probe that read everything that requests need, and only got no answer to its test question. */
  isOnlySlow?: boolean
  /** True for a failed probe whose own question got an answer that cannot be used. It makes the engine unavailable at once. */
  isWrong?: boolean
  /** What the probe found. Absent when it found nothing new. */
  findings?: Finding[]
  /** How many requests the engine works on at once, if it reports that. */
  slots?: number
  /** The name under which the engine serves the model. */
  served?: string
  /** How the engine's tokens are counted (`counterFor`). `system-one` engines report it only while the model has no tokenizer yet. */
  tokenizer?: string
}

/**
 * Takes one more place in the engine's queue, for a concurrent call. Returns the function that frees it, or null when
 * none is free.
 */
export type TakePlace = () => (() => void) | null

/** For whom an engine works. Accounts take turns, and engines that can cache prompts per account do so by `accountId`. */
export interface Caller {
  accountId: string
  /** Called before each call to the engine, because a call may have waited. */
  authorize?: Authorize
}

/**
 * Answers requests for one pinned model. Methods that take a request may reject with the abort's reason or with a `ServiceError`
 * of spec.md's step 8: `invalid_request` without `param`, `capacity_exceeded`, `upstream_error`, `model_unavailable` or
 * `upstream_timeout`. They also reject with the error of the caller's `authorize`.
 */
export interface Engine {
  /** Returns an upper bound of the tokens that this request can be billed for, or null when they have to be counted. */
  maxTokens(request: CheckedRequest): number | null
  /** Returns the exact billable input tokens, in total never more than `maxTokens`. Counts the same request once. */
  countTokens(request: CheckedRequest, signal: AbortSignal, caller?: Caller): TokenCount | Promise<TokenCount>
  /** Refuses input that the engine certainly cannot read, before the request takes a place: `invalid_request`. */
  check(request: CheckedRequest, signal: AbortSignal, caller?: Caller): Promise<void>
  /**
   * Returns one raw answer per question, in request order. Makes one call at a time, plus one for each place it takes.
   */
  answer(request: CheckedRequest, signal: AbortSignal, take?: TakePlace, caller?: Caller): Promise<RawAnswer[]>
  /** Returns whether the engine responds at all, without waiting for its queue. Never rejects. */
  isAlive(signal: AbortSignal): Promise<boolean>
  /** Checks that the engine is up, serves the pinned model and sends well-formed answers. Never rejects. */
  probe(signal: AbortSignal): Promise<ProbeResult>
  close(): Promise<void>
}

/** Returns whether any answer depends on the engine. If not, `Engine.answer` makes no call. */
export const needsCall = ({ questions }: CheckedRequest): boolean =>
  questions.some((question) => typeOf(question).certainAnswer(question) === null)
