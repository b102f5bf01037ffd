import { describe, expect, test } from "vitest"
import { retryAfterSeconds, upstreamFailure } from "./failures"

const nested = (error: object) => JSON.stringify({ error })

describe("upstreamFailure", () => {
  test.each<[string, number, string, string]>([
    [
      "llama.cpp, over the context",
      400,
      nested({ code: 400, type: "exceed_context_size_error", n_ctx: 4096 }),
      "invalid_request",
    ],
    ["llama.cpp, over the batch", 400, nested({ code: 400, type: "exceed_batch_size_error" }), "invalid_request"],
    [
      "llama.cpp, over --ubatch-size",
      500,
      nested({
        message: "input (900 tokens) is too large to process. increase the physical batch size",
        type: "server_error",
      }),
      "invalid_request",
    ],
    [
      "llama.cpp, too many options",
      400,
      nested({ message: "questions.q: too many options (60), this model supports at most 52" }),
      "invalid_request",
    ],
    ["413 of any kind", 413, "", "invalid_request"],
    [
      "vLLM, context length",
      400,
      nested({ message: "This model's maximum context length is 16384 tokens", code: 400 }),
      "invalid_request",
    ],
    [
      "SGLang, flat",
      400,
      JSON.stringify({ object: "error", message: "exceeds the maximum input length of 9 tokens" }),
      "invalid_request",
    ],
    ["SGLang, detail", 422, JSON.stringify({ detail: "the context length is exceeded" }), "invalid_request"],
    ["Ollama, a text", 400, JSON.stringify({ error: "input exceeds the context length" }), "invalid_request"],
    ["ollaya, a code", 422, JSON.stringify({ error: "too long", code: "INPUT_TOO_LONG" }), "invalid_request"],
    ["a busy engine", 429, "", "capacity_exceeded"],
    ["an overloaded engine", 529, "", "capacity_exceeded"],
    ["a full queue", 503, JSON.stringify({ error: "busy", code: "QUEUE_FULL" }), "capacity_exceeded"],
    ["no decision model", 501, nested({ type: "not_supported_error" }), "model_unavailable"],
    ["loading", 503, nested({ message: "Loading model", type: "unavailable_error" }), "model_unavailable"],
    ["no such model or route", 404, nested({ message: "File Not Found" }), "model_unavailable"],
    [
      "a malformed question is our bug",
      400,
      nested({ type: "invalid_request_error", message: "questions.q: unknown type" }),
      "upstream_error",
    ],
    ["a wrong key", 401, nested({ message: "Invalid API Key" }), "upstream_error"],
    ["a failure inside", 500, nested({ message: "out of memory" }), "upstream_error"],
    ["a bad gateway in HTML", 502, "<html>Bad Gateway</html>", "upstream_error"],
    ["a redirect", 302, "", "upstream_error"],
    ["a body that is a JSON null", 400, "null", "upstream_error"],
  ])("%s", (_, status, text, code) => {
    const error = upstreamFailure({ status, text, retryAfter: undefined })
    expect(error.code).toBe(code)
    expect(error.param).toBeUndefined()
  })

  test("nothing of the engine's text is passed on", () => {
    const text = nested({ message: "maximum context length: the secret state was too long" })
    const error = upstreamFailure({ status: 400, text, retryAfter: undefined })
    expect(error.message).not.toContain("secret")
    expect(error.cause).toBeUndefined()
  })
})

describe("Retry-After", () => {
  test("is passed on in whole seconds, 1 by default", () => {
    expect(upstreamFailure({ status: 429, text: "", retryAfter: "7" }).retryAfterSeconds).toBe(7)
    expect(upstreamFailure({ status: 529, text: "", retryAfter: undefined }).retryAfterSeconds).toBe(1)
  })

  test("a date counts from now, nonsense is 1", () => {
    const now = Date.parse("2026-11-20T10:00:00Z")
    expect(retryAfterSeconds("Fri, 20 Nov 2026 10:00:05 GMT", now)).toBe(5)
    for (const header of ["soon", "0", "-3", "999999999", "Fri, 20 Nov 2026 09:00:00 GMT"])
      expect(retryAfterSeconds(header, now)).toBe(1)
  })
})
