import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { checkedRequest, noul } from "@/test/checked-request"
import { type Fault, type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startLlamaCppChat } from "@/test/doubles/llama-cpp-chat"
import { startSglangChat } from "@/test/doubles/sglang-chat"
import { startVllm } from "@/test/doubles/vllm"
import { unprobedEngines } from "@/test/open-engine"
import { KEV_FACTS } from "@/test/system-one-model"
import { TokenCounter } from "../tokenizer/token-counter"
import { findCountAt } from "./tokenize"

const never = new AbortController().signal
const request = checkedRequest("s", noul("q", "Angry?"))
const NO_ROUTE =
  "The engine has no /v1/systemone (HTTP 404). Check that its address does not end in /v1 and that its build is recent."
const ADVICE = " If kev-4b is an ordinary chat model, add a new id with `model add … --labels`."
let llama: LlamaCppDouble

const open = unprobedEngines(() => ({ url: llama.url }))

beforeEach(async () => {
  llama = await startLlamaCpp()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await llama.stop()
})

describe("the probe", () => {
  test("finds the model, build, slots and form of states", async () => {
    expect(await open().probe(never)).toEqual({
      available: true,
      build: "b11400-0a1b2c3d",
      facts: { ...KEV_FACTS, states: "objects" },
      findings: expect.any(Array),
      slots: 4,
      served: "kev-4b",
    })
  })

  test("accepts an engine without /props and tokenizer, pinned by the model name in its responses", async () => {
    llama.settings.isPlainWire = true
    expect(await open({ tokenizer: null }).probe(never)).toEqual({
      available: true,
      build: "model kev-4b",
      findings: expect.any(Array),
      served: "kev-4b",
      facts: { states: "text", reads: "all" },
      tokenizer: "bytes-4",
    })
  })

  test("reports what it found and what that means", async () => {
    Object.assign(llama.settings, { kind: "nimble", contextTokens: 16_640 })
    const { findings } = await open({ inputLimit: 16_384 }).probe(never)
    expect(findings?.map(({ name, value }) => [name, value])).toEqual([
      ["engine", "llama.cpp"],
      ["questions", "read together, or unclear"],
      ["states", "text"],
      ["slots", "4"],
      ["options", "up to 255"],
      ["context", "16640 tokens"],
      ["tokens", "engine"],
      [
        "pin",
        "b11400-0a1b2c3d, n_params 4022468096, size 4280404480, n_vocab 151936, ftype Q8_0, file Kev-4B-Q8_0.gguf",
      ],
    ])
    expect(findings?.[5]?.meaning).toBe(
      "Too small for the published limit with 255 options: give each slot 18044 tokens.",
    )
    Object.assign(llama.settings, { kind: "lev", contextTokens: 18_044 })
    const next = await open({ inputLimit: 16_384 }).probe(never)
    expect(next.findings?.slice(1, 3)).toMatchObject([{ value: "read apart" }, { value: "objects" }])
    expect(next.findings?.[5]?.meaning).toBe("Enough.")
  })

  test("reports how the engine counts tokens, while that is unknown", async () => {
    const engine = open({ tokenizer: null })
    expect(await engine.probe(never)).toMatchObject({ available: true, tokenizer: "engine" })
    expect(await open().probe(never)).not.toHaveProperty("tokenizer")
  })

  test("does not accept an engine that is busy before it was ever examined", async () => {
    llama.fault = { kind: "status", status: 429 }
    expect(await open().probe(never)).toMatchObject({
      available: false,
      reason: "The engine is at capacity, so its first probe could not be completed.",
    })
    expect(await open({ states: "objects" }).probe(never)).toMatchObject({ available: true })
  })

  test("accepts a busy engine and keeps what was known about it", async () => {
    llama.settings.isPlainWire = true
    const engine = open({ tokenizer: null })
    await engine.probe(never)
    for (const fault of [
      { kind: "status", status: 429 },
      { kind: "status", status: 503, body: '{"error":"busy","code":"QUEUE_FULL"}' },
    ] as const) {
      llama.fault = fault
      expect(await engine.probe(never)).toMatchObject({ available: true, build: "model kev-4b" })
    }
  })

  test("accepts an engine when too many counts wait, and calls it only slow while the model's tokenizer still loads", async () => {
    const check = vi.spyOn(TokenCounter.prototype, "check")
    check.mockRejectedValueOnce(new ServiceError("capacity_exceeded"))
    expect(await open().probe(never)).toMatchObject({ available: true })
    // The time is over while the tokenizer loads, however long the probe took before.
    const limit = new AbortController()
    check.mockImplementationOnce((signal) => {
      const loading = new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      limit.abort(new DOMException("The time is over.", "TimeoutError"))
      return loading
    })
    expect(await open({ states: "text" }).probe(limit.signal)).toMatchObject({
      available: false,
      isOnlySlow: true,
    })
  })

  test("learns the only model's name when none is given, and keeps it", async () => {
    const engine = open({ model: null })
    await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "model_unavailable" })
    await engine.probe(never)
    await engine.answer(request, never)
    expect(JSON.parse(llama.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").model).toBe("kev-4b")
    llama.settings.alias = "laya"
    expect(await engine.probe(never)).toMatchObject({ available: false })
  })

  test.each<[string, Partial<LlamaCppDouble["settings"]>, Fault | null, string]>([
    ["another model", { alias: "laya" }, null, "The engine does not serve kev-4b. It serves laya."],
    ["a chat model", { isDecisionModel: false }, null, `kev-4b is not a decision model.${ADVICE}`],
    ["a key it refuses", { apiKey: "other" }, null, "The engine refuses its API key (HTTP 401)."],
    ["loading", {}, { kind: "loading" }, "The engine is not ready: it is loading its model (HTTP 503)."],
    ["501", {}, { kind: "status", status: 501 }, `kev-4b is not a decision model (HTTP 501).${ADVICE}`],
    ["no route", {}, { kind: "status", status: 404 }, NO_ROUTE + ADVICE],
    [
      "no route, on an engine that does not read labels",
      { isPlainWire: true },
      { kind: "status", status: 404 },
      NO_ROUTE,
    ],
    ["a refusal", {}, { kind: "status", status: 400 }, "The engine refused a small question (HTTP 400)."],
    [
      "a refusal with a text, of which the first 200 printable characters are shown",
      {},
      {
        kind: "status",
        status: 422,
        body: JSON.stringify({ detail: `\u0000no\n\tsuch \u202elabel${"!".repeat(200)}` }),
      },
      `The engine refused a small question (HTTP 422): "no such label${"!".repeat(187)}".`,
    ],
    [
      "a refusal that is a page",
      {},
      { kind: "status", status: 500, body: "<html>Bad gateway</html>" },
      'The engine refused a small question (HTTP 500): "<html>Bad gateway</html>".',
    ],
    [
      "nonsense",
      {},
      { kind: "nonsense", body: "{}" },
      "The engine's answer to a small noul question cannot be used: an answer, option or level is missing or was not asked for.",
    ],
    [
      "no tokenizer",
      { isPlainWire: true },
      null,
      "Tokens cannot be counted: the engine's /tokenize or the model's own tokenizer does not work.",
    ],
    ["a reset", {}, { kind: "reset" }, "The engine does not answer: connection reset."],
  ])("reports why an engine cannot be used: %s", async (_, settings, fault, reason) => {
    Object.assign(llama.settings, settings)
    llama.fault = fault
    expect(await open().probe(never)).toMatchObject({ available: false, reason })
  })

  test.each([
    ["vLLM", () => startVllm({ servedName: "chat" })],
    ["SGLang", () => startSglangChat({ servedName: "chat" })],
    ["llama.cpp", () => startLlamaCppChat({ alias: "chat" })],
  ])("suggests --labels when %s serves a chat model", async (_, start) => {
    const double = await start()
    onTestFinished(() => double.stop())
    expect(await open({ url: double.url, model: "chat" }).probe(never)).toMatchObject({
      available: false,
      reason: NO_ROUTE + ADVICE.replace("kev-4b", "chat"),
    })
  })

  test.each([429, 500, 502])("does not conclude from a %i on /props that the route is missing", async (status) => {
    const engine = open()
    llama.fault = { kind: "route", path: "/props", status }
    expect(await engine.probe(never)).toEqual({
      available: false,
      reason: `The engine cannot be identified now: GET /props failed (HTTP ${status}).`,
    })
    llama.fault = null
    expect(await engine.probe(never)).toMatchObject({ available: true, build: "b11400-0a1b2c3d" })
  })

  test.each([404, 405, 501])("concludes from a %i on /props that the route is missing", async (status) => {
    llama.settings.isPlainWire = true
    llama.fault = { kind: "route", path: "/props", status }
    expect(await open({ tokenizer: null }).probe(never)).toMatchObject({ available: true, build: "model kev-4b" })
  })

  test("reports an unreachable engine and a timeout", async () => {
    llama.fault = { kind: "slow", ms: 300 }
    expect(await open().probe(AbortSignal.timeout(30))).toEqual({
      available: false,
      reason: "The engine did not answer the probe in time.",
    })
    await llama.stop()
    expect(await open().probe(never)).toEqual({
      available: false,
      reason: "The engine does not answer: connection refused.",
    })
  })
})

describe("an engine's token count of a text", () => {
  test("is a number, requested with the API key", async () => {
    llama.settings.apiKey = "sk-1"
    expect(await findCountAt(llama.url, "sk-1", "the charge")).toEqual({ dialect: "content", tokens: 3 })
  })

  test("is false without a /tokenize route", async () => {
    llama.settings.isPlainWire = true
    expect(await findCountAt(llama.url, null, "ping")).toBe(false)
  })

  test("is unknown while the engine loads, is unreachable or refuses the key", async () => {
    llama.fault = { kind: "loading" }
    expect(await findCountAt(llama.url, null, "ping")).toBeNull()
    llama.fault = null
    llama.settings.apiKey = "sk-1"
    expect(await findCountAt(llama.url, null, "ping")).toBeNull()
    await llama.stop()
    expect(await findCountAt(llama.url, null, "ping")).toBeNull()
  })
})
