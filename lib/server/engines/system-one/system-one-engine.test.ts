import { createServer } from "node:http"
import { createServer as createSocketServer } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { type Fault, type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { listen } from "@/test/listen"
import { unprobedEngines } from "@/test/open-engine"
import { ConnectionFailure } from "../breaker"

const never = new AbortController().signal
let llama: LlamaCppDouble

const open = unprobedEngines(() => ({ url: llama.url }))

const request = checkedRequest(
  { message: "I was charged twice" },
  choice("10", "Which team?", ["shipping", "10", "2"]),
  noul("angry", null, { yes: "angry", no: "calm" }),
  score("urgency", "How urgent?", ["low", "mid", "high"]),
  choice("one", null, ["only"]),
)

beforeEach(async () => {
  llama = await startLlamaCpp()
})
afterEach(() => llama.stop())

test("answers are in request order and repeat exactly", async () => {
  const engine = open()
  const answers = await engine.answer(request, never)
  expect(answers.map((answer) => [answer.type, "probabilities" in answer ? answer.probabilities.length : 2])).toEqual([
    ["choice", 3],
    ["noul", 2],
    ["score", 3],
    ["choice", 1],
  ])
  expect(await engine.answer(request, never)).toEqual(answers)
})

test("sends the model, API key and content type", async () => {
  await open({ apiKey: "sk-1" }).answer(request, never)
  const [sent] = llama.requests
  expect(sent).toMatchObject({ method: "POST", path: "/v1/systemone" })
  expect(sent?.headers).toMatchObject({ authorization: "Bearer sk-1", "content-type": "application/json" })
  expect(JSON.parse(sent?.body ?? "")).toMatchObject({ model: "kev-4b", state: '{"message":"I was charged twice"}' })
})

test("sends no Authorization without an API key", async () => {
  await open().answer(request, never)
  expect(llama.requests[0]?.headers).not.toHaveProperty("authorization")
})

test("keeps the path of the engine's address", async () => {
  await expect(open({ url: `${llama.url}/engine/` }).answer(request, never)).rejects.toMatchObject({
    code: "model_unavailable",
  })
  expect(llama.requests[0]?.path).toBe("/engine/v1/systemone")
})

test("a request with only certain answers needs no engine", async () => {
  await llama.stop()
  const certain = checkedRequest("s", choice("a", null, ["only"]))
  expect(await open().answer(certain, never)).toEqual([{ type: "choice", probabilities: [1] }])
})

describe("failures of the engine", () => {
  test.each<[string, Fault, object]>([
    ["loading", { kind: "loading" }, { code: "model_unavailable" }],
    ["501", { kind: "status", status: 501 }, { code: "model_unavailable" }],
    [
      "429 with Retry-After",
      { kind: "status", status: 429, headers: { "retry-after": "9" } },
      { code: "capacity_exceeded", retryAfterSeconds: 9 },
    ],
    ["529", { kind: "status", status: 529 }, { code: "capacity_exceeded", retryAfterSeconds: 1 }],
    ["500", { kind: "status", status: 500, body: '{"error":{"message":"boom"}}' }, { code: "upstream_error" }],
    ["nonsense", { kind: "nonsense", body: "<html>" }, { code: "upstream_error" }],
    ["half an answer", { kind: "edited", edit: (body) => ({ ...body, answers: {} }) }, { code: "upstream_error" }],
    [
      "an answer over the size limit",
      { kind: "edited", edit: (body) => ({ ...body, more: " ".repeat(2_000_000) }) },
      { code: "upstream_error" },
    ],
    ["a reset connection", { kind: "reset" }, { code: "model_unavailable", cause: expect.any(ConnectionFailure) }],
  ])("%s, and the engine is called once", async (_, fault, expected) => {
    llama.fault = fault
    await expect(open().answer(request, never)).rejects.toMatchObject(expected)
    expect(llama.requests).toHaveLength(1)
  })

  test("input over its context is invalid_request without param", async () => {
    llama.settings.contextTokens = 20
    await expect(open().answer(request, never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
  })

  test("more options than it accepts are invalid_request without param", async () => {
    llama.settings.maxOptions = 2
    await expect(open().answer(request, never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
  })

  test("a refused connection and an unknown host are model_unavailable", async () => {
    await llama.stop()
    const refused = { code: "model_unavailable", cause: { kind: "connection refused" } }
    await expect(open().answer(request, never)).rejects.toMatchObject(refused)
    const nowhere = { code: "model_unavailable", cause: { kind: "no such host" } }
    await expect(open({ url: "http://engine.invalid:8080" }).answer(request, never)).rejects.toMatchObject(nowhere)
  })

  test("a server that does not speak HTTP is upstream_error", async () => {
    const server = createSocketServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end("SSH-2.0\r\n")),
    )
    const url = await listen(server)
    await expect(open({ url }).answer(request, never)).rejects.toMatchObject({ code: "upstream_error" })
  })

  test.each([true, false])(
    "an interrupted response ends the request, aborted by the engine (%s) or by the client",
    async (isEngine) => {
      const half = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"
      const server = createSocketServer((socket) =>
        socket.on("error", () => {}).once("data", () => socket.write(half, () => isEngine && socket.destroy())),
      )
      const url = await listen(server)
      const abort = new AbortController()
      const answer = open({ url }).answer(request, abort.signal)
      if (!isEngine) setTimeout(() => abort.abort(new Error("gone")), 100)
      await expect(answer).rejects.toMatchObject(isEngine ? { code: "model_unavailable" } : { message: "gone" })
    },
  )

  test.each<[string, Error, object]>([
    ["time that runs out is upstream_timeout", new DOMException("late", "TimeoutError"), { code: "upstream_timeout" }],
    ["a client that goes away ends the call with its own reason", new Error("gone"), { message: "gone" }],
  ])("%s, and the engine's connection is aborted", async (_, reason, expected) => {
    llama.fault = { kind: "slow", ms: 60_000 }
    const abort = new AbortController()
    const answer = open().answer(request, abort.signal)
    answer.catch(() => {})
    await expect.poll(() => llama.working).toBe(1)
    abort.abort(reason)
    await expect(answer).rejects.toMatchObject(expected)
    await expect.poll(() => llama.aborted).toBe(1)
  })
})

describe("tokens", () => {
  test("are the engine's own count of every billed text, without its fixed prompt", async () => {
    const small = checkedRequest("ab cd", choice("q", "which", [["longer", { d: 1 }], "b"]))
    // "ab"," cd" 2 · "whic","h" 2 · "long","er" 2 · `{"d"`,":1}" 2 · "b" 1
    expect(await open().countTokens(small, never)).toEqual({ state: 2, questions: [7] })
    expect(llama.requests.map(({ path }) => path)).toEqual(Array(5).fill("/tokenize"))
    expect(JSON.parse(llama.requests[0]?.body ?? "")).toEqual({
      content: "ab cd",
      add_special: false,
      parse_special: false,
    })
  })

  test("are at most UTF-8 bytes + 1 for each billed text", async () => {
    // 5+1 · 5+1 · 6+1 · 7+1 · 2+1
    const small = checkedRequest("ab cd", choice("q", "which", [["longer", { d: 1 }], "ä"]))
    expect(open().maxTokens(small)).toBe(30)
  })

  test("of a text counted before are remembered", async () => {
    const engine = open()
    const first = await engine.countTokens(request, never)
    const asked = llama.requests.length
    expect(await engine.countTokens(request, never)).toEqual(first)
    expect(llama.requests).toHaveLength(asked)
  })

  test("of equal texts count each time and are requested once", async () => {
    const twice = checkedRequest("same", noul("a", "same"), noul("b", "same"))
    expect(await open().countTokens(twice, never)).toEqual({ state: 1, questions: [1, 1] })
    expect(llama.requests).toHaveLength(1)
  })

  test("without a tokenizer are started groups of 4 UTF-8 bytes, also for the hold", async () => {
    const engine = open({ tokenizer: null })
    const small = checkedRequest("ab cd", noul("q", "ä?"))
    expect(engine.countTokens(small, never)).toEqual({ state: 2, questions: [1] })
    expect(engine.maxTokens(small)).toBeNull()
    expect(llama.requests).toHaveLength(0)
  })

  test("above the upper bound are upstream_error, never clamped", async () => {
    const server = createServer((_, response) => response.end(JSON.stringify({ tokens: Array(7).fill(1) })))
    const engine = open({ url: await listen(server) })
    const two = checkedRequest(jsonText("a").text(), noul("q", "b"))
    await expect(engine.countTokens(two, never)).rejects.toMatchObject({ code: "upstream_error" })
  })

  test("that cannot be counted fail like an answer", async () => {
    llama.fault = { kind: "loading" }
    await expect(open().countTokens(request, never)).rejects.toMatchObject({ code: "model_unavailable" })
  })
})
