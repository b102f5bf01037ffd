import { describe, expect, test } from "vitest"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { startLlamaCppChat } from "@/test/doubles/llama-cpp-chat"
import { startSglangChat } from "@/test/doubles/sglang-chat"
import { PLAIN_HABITS } from "@/test/doubles/toy-chat-model"
import { startVllm, type VllmSettings } from "@/test/doubles/vllm"
import { labelsEngine, labelsOpener } from "@/test/open-labels"
import { inputLimitOf } from "../token-count"
import type { LabelsSettings } from "./labels-engine"

const open = labelsOpener()
const never = new AbortController().signal
const TEMPLATE: VllmSettings["template"] = { turns: "special", refusesSystem: false, answerPrefix: "" }

const reasonWith = async (settings: Partial<VllmSettings>, engine: Partial<LabelsSettings> = {}) =>
  (await open(startVllm(settings), engine)).found.reason

test("a probe finds the served name, how tokens are counted, and a build that names server, version and weights", async () => {
  const { found } = await open(startVllm())
  expect(found).toEqual({
    available: true,
    served: "qwen-toy",
    build: expect.stringMatching(/^vLLM 0\.26\.0 org\/qwen-toy [0-9a-f]{12}$/),
    tokenizer: "engine-labels",
    findings: expect.any(Array),
  })
})

test.each([
  ["vLLM", () => startVllm(), "labels-1", ["vLLM", "one", "255 labels, 128 per call", "not reported", "per account"]],
  [
    "SGLang",
    () => startSglangChat(),
    "labels-1-both-orders",
    ["SGLang", "both", "255 labels, 255 per call", "not reported", "per account"],
  ],
  ["llama.cpp", () => startLlamaCppChat(), "labels-1", ["llama.cpp", "one", "255 labels, 255 per call", "4", "shared"]],
])("of %s a probe reports what it found and what that means", async (_, start, promptTemplate, values) => {
  const { found } = await open<{ url: string; stop(): Promise<void> }>(start(), { promptTemplate })
  const by = Object.fromEntries((found.findings ?? []).map(({ name, value }) => [name, value]))
  expect([by.engine, by.orders, by.options, by.slots, by.cache]).toEqual(values)
  expect(by).toMatchObject({ questions: "one per prompt", tokens: "engine-labels", pin: found.build })
  expect(found.findings?.every(({ meaning }) => meaning.endsWith("."))).toBe(true)
})

describe("a probe refuses, and says what to change", () => {
  const IGNORES_IDS =
    "The engine ignores logprob_token_ids, so labels cannot be read: update vLLM to a version of July 2026 or later."
  const PROCESSED = "The engine reports processed log-probabilities: start vLLM with --logprobs-mode raw_logprobs."
  const GUIDED =
    "The engine restricts or biases which tokens the model may write: turn off guided decoding, grammars and logit biases for it."
  const cases: [string, Partial<VllmSettings>, string][] = [
    ["an old version that ignores the labels", { honoursIds: false }, IGNORES_IDS],
    [
      "an old version with many log-probabilities, which returns the likely labels by chance",
      { honoursIds: false, maxLogprobs: 1_024 },
      IGNORES_IDS,
    ],
    [
      "too small a limit of log-probabilities",
      { boundsIds: true },
      "The engine returns too few log-probabilities: start vLLM with --max-logprobs 128.",
    ],
    ["processed log-probabilities", { logprobsMode: "processed_logprobs" }, PROCESSED],
    ["logits in place of log-probabilities", { logprobsMode: "raw_logits" }, PROCESSED],
    ["guided decoding", { guidedTo: ["ZZ", "{"] }, GUIDED],
    [
      "guided decoding with processed log-probabilities",
      { guidedTo: ["A", "B"], logprobsMode: "processed_logprobs" },
      GUIDED,
    ],
    [
      "a template that always begins with thinking",
      { thinking: "always" },
      "The model begins every answer with its thoughts: use a model whose thinking can be turned off, or its variant without thinking.",
    ],
    [
      "a model that writes its thoughts first",
      { habits: { ...PLAIN_HABITS, thinks: true } },
      "The model thinks before it answers: use a model whose thinking can be turned off, or its variant without thinking.",
    ],
    [
      "a model that does not answer with labels",
      { habits: { ...PLAIN_HABITS, isUntuned: true } },
      expect.stringMatching(
        /^The model answers a simple question with a label only \d+ % of the time: use a model that is tuned to follow instructions\.$/,
      ) as unknown as string,
    ],
    [
      "a model that answers a simple question wrongly",
      { habits: { ...PLAIN_HABITS, isWrong: true } },
      "The model gives 0 % to the right answer of a simple question: use a larger model that is tuned to follow instructions.",
    ],
    [
      "a template whose turns a client could write",
      { template: { ...TEMPLATE, turns: "plain" } },
      "The chat template marks turns with ordinary text, so a client's text could end its turn: use a model whose template has special tokens.",
    ],
    [
      "truncated prompts",
      { cutsAt: 300 },
      expect.stringMatching(
        /^The engine read 300 of a prompt's \d+ tokens: turn off truncation\.$/,
      ) as unknown as string,
    ],
  ]
  test.each(cases)("%s", async (_, settings, reason) => {
    expect(await reasonWith(settings)).toEqual(reason)
  })

  test("a context that is shorter than the model's limit needs", async () => {
    const inputLimit = inputLimitOf(FIRST_DECIDER)
    expect(await reasonWith({ maxModelLen: 16_640 }, { inputLimit })).toMatch(
      /^The engine's context has 16640 tokens, but this model's limit needs \d{5}: start the engine with a longer context\.$/,
    )
    expect(await reasonWith({ maxModelLen: 20_000 }, { inputLimit })).toBeUndefined()
  })

  test("another model name, a wrong API key and an engine that is loading", async () => {
    expect(await reasonWith({}, { model: "other" })).toBe("The engine does not serve other. It serves qwen-toy.")
    expect(await reasonWith({ apiKey: "k" })).toBe("The engine refuses its API key (HTTP 401).")
    expect(await reasonWith({ apiKey: "k" }, { apiKey: "k" })).toBeUndefined()
    const { double, engine } = await open(startVllm())
    double.fault = { kind: "loading" }
    expect((await engine.probe(never)).reason).toBe("The engine is not ready: it is loading its model (HTTP 503).")
  })

  test("a prompt version that this service does not have", async () => {
    expect(await reasonWith({}, { promptTemplate: "labels-99" })).toBe(
      "This version of the service does not have the prompt labels-99.",
    )
  })
})

describe("a probe accepts", () => {
  test("a template without a system turn, whose text then begins the user's turn", async () => {
    const { double, engine, found } = await open(startVllm({ template: { ...TEMPLATE, refusesSystem: true } }))
    expect(found.available).toBe(true)
    expect(await engine.answer(checkedRequest("state", noul("n", "Is it?")), never)).toHaveLength(1)
    expect(double.reads()).not.toHaveLength(0)
  })

  test("a thinking model whose thinking can be turned off", async () => {
    expect(await reasonWith({ thinking: "switchable" })).toBeUndefined()
  })
})

describe("the pinned build", () => {
  const buildOf = async (settings: Partial<VllmSettings>) => (await open(startVllm(settings))).found.build
  test("is the same after a restart and on another context length", async () => {
    const first = await buildOf({})
    expect(await buildOf({})).toBe(first)
    expect(await buildOf({ maxModelLen: 8_192 })).toBe(first)
  })

  test.each<[string, Partial<VllmSettings>]>([
    ["weights", { root: "org/other" }],
    ["version", { version: "0.27.0" }],
    ["template", { template: { ...TEMPLATE, answerPrefix: "Label: " } }],
    ["thinking", { thinking: "switchable" }],
  ])("differs with other %s", async (_, settings) => {
    expect(await buildOf(settings)).not.toBe(await buildOf({}))
  })
})

describe("a request", () => {
  test("that is too long is refused with 400 before it is read", async () => {
    const { double, engine } = await open(startVllm({ maxModelLen: 2_000 }))
    const before = double.reads().length
    const long = (length: number) => checkedRequest("x".repeat(length), noul("n", "Is it?"))
    await expect(engine.answer(long(2_000), never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
    await expect(engine.countTokens(long(2_000_000), never)).rejects.toMatchObject({ code: "invalid_request" })
    expect(double.reads()).toHaveLength(before)
    expect(await engine.answer(long(1_000), never)).toHaveLength(1)
  })

  test("over the pinned limit is refused, and one at the limit is answered", async () => {
    const inputLimit = inputLimitOf(FIRST_DECIDER)
    const { engine } = await open(startVllm({ maxModelLen: 20_000 }), { inputLimit })
    const of = (length: number) => checkedRequest("x".repeat(length), noul("n", "Is it?"))
    const most = 16_384 - 128 - "Is it?".length
    expect(await engine.answer(of(most), never)).toHaveLength(1)
    await expect(engine.answer(of(most + 1), never)).rejects.toMatchObject({ code: "invalid_request" })
  })

  test("with the most options fits at the pinned limit", async () => {
    const inputLimit = inputLimitOf(FIRST_DECIDER)
    const needed = Number(/needs (\d+)/.exec((await reasonWith({ maxModelLen: 16_640 }, { inputLimit })) ?? "")?.[1])
    const { engine } = await open(startVllm({ maxModelLen: needed }), { inputLimit })
    const names = Array.from({ length: 255 }, (_, i) => String(i).padStart(3, "0"))
    const pairs = names.map((name): [string, string] => [name, "d"])
    const question = choice("c", "Which?", pairs)
    const rest = 255 * 4 + "Which?".length + 128
    const [answer] = await engine.answer(checkedRequest("x".repeat(16_384 - rest), question), never)
    expect(answer?.type === "choice" && answer.probabilities).toHaveLength(255)
  })

  test("whose prompt the engine cut is refused with 400", async () => {
    const { double, engine } = await open(startVllm())
    double.settings.cutsAt = 300
    const failed = engine.answer(checkedRequest("x".repeat(500), noul("n", "Is it?")), never)
    await expect(failed).rejects.toMatchObject({ code: "invalid_request" })
  })

  test("before the first probe is refused with 503", async () => {
    const engine = labelsEngine("http://127.0.0.1:1")
    const request = checkedRequest("s", noul("n", "Is it?"))
    await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "model_unavailable" })
    await engine.close()
  })
})
