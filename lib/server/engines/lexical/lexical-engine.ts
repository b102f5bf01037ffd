import { setImmediate } from "node:timers/promises"
import { billedTexts, type CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { CheckedQuestion, QuestionOf, QuestionTypeName, RawAnswer, RawAnswerOf } from "@/questions/question-types"
import { throwIfAborted } from "../abort"
import type { Engine, ProbeResult } from "../engine"
import { countByBytes, type TokenCount, textBytes, totalTokens } from "../token-count"
import { scoreChoice } from "./choice"
import { Document } from "./detectors"
import { flatten, readFeatures } from "./features"
import { scoreNoul } from "./noul"
import { scoreScore } from "./score"

const MAX_INPUT_BYTES = 262_144
/** Before a question of more bytes, other requests get a turn on this thread. */
const YIELD_ABOVE_BYTES = 16_384

function questionBytes(request: CheckedRequest, question: CheckedQuestion): number {
  return billedTexts({ ...request, questions: [question] }).reduce((sum, text) => sum + textBytes(text), 0)
}

/** The keyword rules of each question type. The compiler requires an entry for every type. */
const RULES: {
  [Name in QuestionTypeName]: (question: QuestionOf<Name>, document: Document) => RawAnswerOf<Name>
} = {
  noul: (question, document) => ({ type: "noul", yes: scoreNoul(question, document) }),
  choice: (question, document) => ({ type: "choice", probabilities: scoreChoice(question, document) }),
  score: (question, document) => ({ type: "score", probabilities: scoreScore(question, document) }),
}

function answerOne(question: CheckedQuestion, document: Document): RawAnswer {
  const answer = RULES[question.type] as (question: CheckedQuestion, document: Document) => RawAnswer
  return answer(question, document)
}

/**
 * The built-in keyword scorer, for trying the service without a model. English only, deterministic, no network. Tokens
 * are counted by `BYTE_RULE`. The state and any one question together may have at most 262,144 UTF-8 bytes.
 */
export class LexicalEngine implements Engine {
  maxTokens(request: CheckedRequest): number {
    return totalTokens(countByBytes(request))
  }

  countTokens(request: CheckedRequest): TokenCount {
    return countByBytes(request)
  }

  async answer(request: CheckedRequest, signal: AbortSignal): Promise<RawAnswer[]> {
    throwIfAborted(signal)
    const sizes = request.questions.map((question) => questionBytes(request, question))
    if (sizes.some((bytes) => bytes > MAX_INPUT_BYTES))
      throw new ServiceError("invalid_request", {
        message: "The state and a question together exceed this model's input limit of 262,144 bytes.",
      })
    const document = new Document(readFeatures(flatten(request.state)))
    const answers: RawAnswer[] = []
    for (const [i, question] of request.questions.entries()) {
      if ((sizes[i] ?? 0) > YIELD_ABOVE_BYTES) await setImmediate()
      throwIfAborted(signal)
      answers.push(answerOne(question, document))
    }
    return answers
  }

  async probe(): Promise<ProbeResult> {
    return { available: true }
  }

  async close(): Promise<void> {}
}
