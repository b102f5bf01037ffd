import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { CheckedQuestion, RawAnswer } from "@/questions/question-types"
import { throwIfAborted } from "../abort"
import type { Engine, ProbeResult } from "../engine"
import { countByBytes, type TokenCount, textBytes } from "../token-count"
import { answerAll } from "./answer-all"
import { LexicalThread } from "./lexical-thread"

const MAX_INPUT_BYTES = 262_144
/** Requests with more bytes than this, over all questions, are answered by the worker: the rules take a millisecond for 4 KiB. */
const MAX_HERE_BYTES = 8_192

function questionBytes(request: CheckedRequest, question: CheckedQuestion): number {
  return billedTexts({ ...request, questions: [question] }).reduce((sum, text) => sum + textBytes(text), 0)
}

/**
 * The built-in keyword scorer, for trying the service without a model. English only, deterministic, no network. Tokens
 * are counted by `BYTE_RULE`. The state and any one question together may have at most 262,144 UTF-8 bytes.
 */
export class LexicalEngine implements Engine {
  readonly #thread = new LexicalThread()

  maxTokens(): null {
    return null
  }

  countTokens(request: CheckedRequest): TokenCount {
    return countByBytes(request)
  }

  async check(request: CheckedRequest): Promise<void> {
    if (request.questions.some((question) => questionBytes(request, question) > MAX_INPUT_BYTES))
      throw new ServiceError("invalid_request", {
        message: "The state and a question together exceed this model's input limit of 262,144 bytes.",
      })
  }

  async answer(request: CheckedRequest, signal: AbortSignal): Promise<RawAnswer[]> {
    throwIfAborted(signal)
    await this.check(request)
    const bytes = request.questions.reduce((sum, question) => sum + questionBytes(request, question), 0)
    if (bytes > MAX_HERE_BYTES) return this.#thread.answer(request, signal)
    return answerAll(request, () => throwIfAborted(signal))
  }

  async isAlive(): Promise<boolean> {
    return true
  }

  async probe(): Promise<ProbeResult> {
    return { available: true }
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
