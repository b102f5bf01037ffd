import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import { type Answered, type Answerer, EngineHttpError } from "./answerer"

/** The engine's report about itself, in the response format of llama.cpp's server. */
export interface EngineFacts {
  /** The name under which the model is served. */
  served: string
  build: string
  file: string
  contextTokens: number
  /** Facts that identify the weights. */
  meta: Readonly<Record<string, string | number>>
}

interface Tokenizer {
  tokenize(text: string, specialTokens: boolean): number[]
}

/** The longest body that the service sends: a request at its limit, with every byte escaped. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new EngineHttpError(413, "request_too_large_error", "the request is too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

/** Returns an answer with the members that the service reads. */
const answerBody = (question: CheckedQuestion, answer: RawAnswer): object => ({
  type: answer.type,
  ...typeOf(question).writeAnswer(question, answer),
})

/** Routes of llama.cpp's server, for one loaded model: decisions, `/tokenize`, and what a probe reads. */
export class Wire {
  constructor(
    private readonly facts: EngineFacts,
    private readonly answerer: Answerer,
    private readonly tokenizer: Tokenizer,
  ) {}

  readonly handle: RequestListener = (request, response) => {
    void this.#respond(request, response).catch((error: unknown) => {
      if (response.destroyed) return
      const { status, type, message, extra } =
        error instanceof EngineHttpError ? error : new EngineHttpError(500, "server_error", "the engine failed")
      send(response, status, { error: { code: status, type, message, ...extra } })
    })
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${request.url}`
    const { served, build, file, contextTokens, meta } = this.facts
    if (route === "POST /v1/systemone") return this.#decide(request, response)
    if (route === "POST /tokenize") return send(response, 200, this.#tokens(await bodyOf(request)))
    if (route === "GET /health") return send(response, 200, { status: "ok" })
    if (route === "GET /v1/models") {
      const architecture = { input_modalities: ["text"], output_modalities: ["decisions"] }
      const entry = { id: served, object: "model", owned_by: "decision-service", architecture, meta }
      return send(response, 200, { object: "list", data: [entry] })
    }
    if (route === "GET /props") {
      const settings = { n_ctx: contextTokens }
      const props = { build_info: build, model_path: file, default_generation_settings: settings }
      return send(response, 200, props)
    }
    throw new EngineHttpError(404, "not_found_error", "there is no such route")
  }

  #tokens(body: Buffer): { tokens: number[] } {
    const { content, parse_special: isParsed = true } = JSON.parse(body.toString()) as Record<string, unknown>
    if (typeof content !== "string")
      throw new EngineHttpError(400, "invalid_request_error", "the content must be a string")
    return { tokens: [...this.tokenizer.tokenize(content, isParsed === true)] }
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on("close", () => !response.writableFinished && gone.abort(new Error("the caller is gone")))
    const checked = checkRequest(await bodyOf(request))
    if (!checked.ok) throw new EngineHttpError(400, "invalid_request_error", checked.message)
    const { questions } = checked.request
    const answered: Answered = await this.answerer.answer(checked.request, gone.signal)
    const answers = questions.map((question, i) => {
      const answer = answered.answers[i]
      return [question.name, answer && answerBody(question, answer)]
    })
    send(response, 200, {
      model: this.facts.served,
      answers: Object.fromEntries(answers),
      usage: { input_tokens: answered.inputTokens, output_tokens: 0 },
      timings: { prompt_n: answered.computedTokens },
    })
  }
}
