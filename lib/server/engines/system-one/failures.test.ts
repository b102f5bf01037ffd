import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { createLog } from "@/lib/server/platform/log"
import { refusedCount, upstreamFailure } from "./failures"

const nested = (error: object) => JSON.stringify({ error })

/** What engines respond, as name, status and body, by the error that it means. */
const RESPONSES: Record<string, [name: string, status: number, text: string][]> = {
  invalid_request: [
    ["llama.cpp, over the context", 400, nested({ code: 400, type: "exceed_context_size_error", n_ctx: 4096 })],
    ["llama.cpp, over the batch", 400, nested({ code: 400, type: "exceed_batch_size_error" })],
    ["llama.cpp, over --ubatch-size", 500, nested({ message: "input (900 tokens) is too large to process" })],
    [
      "llama.cpp, too many options",
      400,
      nested({ message: "questions.q: too many options (60), this model supports at most 52" }),
    ],
    ["413 of any kind", 413, ""],
    [
      "vLLM, context length",
      400,
      nested({ message: "This model's maximum context length is 16384 tokens", code: 400 }),
    ],
    ["SGLang, flat", 400, '{"object":"error","message":"exceeds the maximum input length of 9 tokens"}'],
    ["SGLang, detail", 422, '{"detail":"the context length is exceeded"}'],
    ["Ollama, a text", 400, '{"error":"input exceeds the context length"}'],
    ["ollaya, a code", 422, '{"error":"too long","code":"INPUT_TOO_LONG"}'],
    ["Ollama, over the loaded context", 400, '{"error":"prompt has 900 tokens, which exceeds the context limit"}'],
    ["ollaya, a cut state", 422, '{"error":"state: part of state was dropped","code":"STATE_TRUNCATED"}'],
    ["TypeSafe, too many tokens", 422, nested({ type: "max_tokens_exceeded", message: "" })],
    ["FastAPI, a list of issues", 422, '{"detail":[{"loc":["body","state"],"msg":"exceeds the context length"}]}'],
  ],
  model_unavailable: [
    ["ollaya, no such model", 404, '{"error":"model "x" not found, try pulling it first","code":"MODEL_NOT_FOUND"}'],
    ["no decision model", 501, nested({ type: "not_supported_error" })],
    ["loading", 503, nested({ message: "Loading model", type: "unavailable_error" })],
    ["no such model or route", 404, nested({ message: "File Not Found" })],
  ],
  capacity_exceeded: [
    ["a busy engine", 429, ""],
    ["an overloaded engine", 529, ""],
    ["a full queue", 503, '{"error":"busy","code":"QUEUE_FULL"}'],
  ],
  upstream_error: [
    ["ollaya, a failed runner", 500, '{"error":"boom","code":"INFERENCE_FAILED"}'],
    // The service wrote the question.
    ["a malformed question", 400, nested({ type: "invalid_request_error", message: "questions.q: unknown type" })],
    ["a wrong key", 401, nested({ message: "Invalid API Key" })],
    ["a failure inside", 500, nested({ message: "out of memory" })],
    ["a bad gateway in HTML", 502, "<html>Bad Gateway</html>"],
    ["a redirect", 302, ""],
    ["a body that is a JSON null", 400, "null"],
  ],
  upstream_timeout: [
    ["a gateway that waited too long, in HTML", 504, "<html>Gateway Timeout</html>"],
    ["a gateway that waited too long, in JSON", 504, nested({ message: "timeout" })],
  ],
}

describe("upstreamFailure", () => {
  describe.each(Object.entries(RESPONSES))("is %s for", (code, responses) => {
    test.each(responses)("%s", (_, status, text) => {
      const error = upstreamFailure({ status, text, retryAfter: undefined })
      expect([error.code, error.param]).toEqual([code, undefined])
    })
  })

  test("keeps the status and the known phrase for the log, and none of the engine's text", () => {
    const text = nested({ message: "maximum context length: the secret state was too long" })
    const error = upstreamFailure({ status: 400, text, retryAfter: undefined })
    const lines: string[] = []
    createLog("info", { write: (line) => void lines.push(line) }).error("request", { cause: error.cause })
    const cause = { name: "EngineRefusal", code: "HTTP 400, context length" }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ cause }])
    expect(`${error.message} ${inspect(error, { showHidden: true })} ${lines}`).not.toContain("secret")
  })
})

describe("refusedCount", () => {
  const tooMany = (name: string) => ({
    error: { message: `${name}: too many options (60), this model supports at most 52` },
  })
  test.each<[string, number, object, object | null]>([
    ["llama.cpp", 400, tooMany("questions.many"), { of: "options", max: 52 }],
    ["llama.cpp, with any question name", 400, tooMany("questions.options"), { of: "options", max: 52 }],
    [
      "Ollama, candidates",
      400,
      { error: 'question "q": criteria must contain 2–26 candidates' },
      { of: "options", max: 26 },
    ],
    ["Ollama, questions", 400, { error: "questions must contain 1–64 fields" }, { of: "questions", max: 64 }],
    [
      "SGLang",
      400,
      { message: "question 'q': it has 60 options, but the served tokenizer and chat template can label at most 26" },
      { of: "options", max: 26 },
    ],
    [
      "vLLM",
      400,
      { error: { message: "question 'label': at most 26 options for this model" } },
      { of: "options", max: 26 },
    ],
    [
      "vLLM, questions",
      400,
      { error: { message: "questions: at most 64 for this model" } },
      { of: "questions", max: 64 },
    ],
    [
      "ollaya",
      422,
      { error: "questions.q.choice.criteria: 140 options do not fit the budget", code: "TOO_MANY_OPTIONS" },
      { of: "options", max: null },
    ],
    [
      "one at a time",
      400,
      { error: { message: "too many questions (2), this server supports at most 1" } },
      { of: "questions", max: 1 },
    ],
    ["an input that is too long", 400, { error: { message: "maximum context length is 4096 tokens" } }, null],
    ["a malformed question", 400, { error: { message: "questions.q: unknown type" } }, null],
    ["a status that is no refusal", 500, tooMany("questions.q"), null],
  ])("%s", (_, status, body, expected) => {
    expect(refusedCount({ status, text: JSON.stringify(body), retryAfter: undefined })).toEqual(expected)
  })
})

describe("Retry-After", () => {
  test("is passed on in whole seconds, 1 by default", () => {
    expect(upstreamFailure({ status: 429, text: "", retryAfter: "7" }).retryAfterSeconds).toBe(7)
    expect(upstreamFailure({ status: 529, text: "", retryAfter: undefined }).retryAfterSeconds).toBe(1)
  })
})
