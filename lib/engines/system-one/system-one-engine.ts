import type { CheckedRequest } from "../../decisions/check"
import { ServiceError } from "../../errors"
import type { Engine, ProbeResult, RawAnswer } from "../engine"
import { quarterTokens } from "../texts"
import { type TokenCount, totalTokens } from "../token-count"
import { upstreamFailure } from "./failures"
import { probeSystemOne } from "./probe"
import { isCertain, requestBody } from "./request-body"
import { readAnswers } from "./response"
import { mostTokens, TokenCounter } from "./token-counter"
import { Transport } from "./transport"

export interface SystemOneSettings {
  /** The address before `/v1`. */
  url: string
  /** The name the engine serves the model under; null for the only one it serves. */
  model: string | null
  /** Null: the engine cannot count tokens, and 4 UTF-8 bytes count as one. */
  tokenizer: string | null
  apiKey: string | null
}

/** An engine that speaks `POST {url}/v1/systemone`: llama.cpp's wire. Nothing is ever sent twice. */
export class SystemOneEngine implements Engine {
  readonly #transport: Transport
  readonly #counter: TokenCounter | null
  #served: string | null

  constructor(private readonly settings: SystemOneSettings) {
    this.#transport = new Transport(settings.url, settings.apiKey)
    this.#counter = settings.tokenizer === null ? null : new TokenCounter(this.#transport)
    this.#served = settings.model
  }

  mostTokens(request: CheckedRequest): number {
    return this.#counter ? mostTokens(request) : totalTokens(quarterTokens(request))
  }

  countTokens(request: CheckedRequest, signal: AbortSignal): TokenCount | Promise<TokenCount> {
    return this.#counter ? this.#counter.count(request, signal) : quarterTokens(request)
  }

  async answer(request: CheckedRequest, signal: AbortSignal): Promise<RawAnswer[]> {
    if (request.questions.every(isCertain)) return readAnswers(request, null)
    if (this.#served === null) throw new ServiceError("model_unavailable")
    const body = requestBody(this.#served, request)
    const response = await this.#transport.call("POST", "/v1/systemone", body, signal)
    if (response.status !== 200) throw upstreamFailure(response)
    return readAnswers(request, response.text)
  }

  async probe(signal: AbortSignal): Promise<ProbeResult> {
    // Once learned, the served name stays: an engine that later serves another model is not this one.
    const { served, ...result } = await probeSystemOne(this.#transport, this.#served, this.#counter, signal)
    this.#served = this.settings.model ?? this.#served ?? served ?? null
    return result
  }

  close(): Promise<void> {
    return this.#transport.close()
  }
}
