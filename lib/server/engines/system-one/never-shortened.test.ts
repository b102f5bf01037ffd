import { describe, expect, test } from "vitest"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { startOllaya } from "@/test/doubles/ollaya"
import { startSglang } from "@/test/doubles/sglang"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { startTypesafe } from "@/test/doubles/typesafe"
import { engineOpener } from "@/test/open-engine"

const never = new AbortController().signal
const tooLong = { code: "invalid_request", status: 400, param: undefined }
const open = engineOpener()

/** A text with this many tokens in the doubles. */
const words = (count: number) => "word ".repeat(count).trim()

describe("input over an engine's own context is 400 without a param", () => {
  test.each<[string, () => Promise<AnyDouble>]>([
    ["llama.cpp", () => startLlamaCpp({ contextTokens: 200 })],
    ["Ollama", () => startOllama({ contextTokens: 200 })],
    ["ollaya", () => startOllaya({ contextTokens: 200 })],
    ["SGLang", () => startSglang({ contextTokens: 200 })],
    ["TypeSafe", () => startTypesafe({ contextTokens: 200 })],
  ])("%s", async (name, start) => {
    const { engine } = await open(start(), { model: name === "TypeSafe" ? "jev-latest" : null })
    expect(await engine.answer(checkedRequest(words(20), noul("q", "Is it?")), never)).toHaveLength(1)
    await expect(engine.answer(checkedRequest(words(300), noul("q", "Is it?")), never)).rejects.toMatchObject(tooLong)
  })
})

describe("an engine that truncates silently is detected", () => {
  test("by a full context, when tokens are not counted", async () => {
    const { engine } = await open(startOllama({ contextTokens: 200, cutsState: true }))
    expect(await engine.answer(checkedRequest(words(100), noul("q", "Is it?")), never)).toHaveLength(1)
    await expect(engine.answer(checkedRequest(words(300), noul("q", "Is it?")), never)).rejects.toMatchObject(tooLong)
  })

  test("by a reported token count below the service's own, when tokens are counted", async () => {
    const { engine } = await open(startLlamaCpp({ headTokens: 40 }), { tokenizer: "engine" })
    expect(await engine.answer(checkedRequest("s", noul("q", "Is it?")), never)).toHaveLength(1)
    await expect(engine.answer(checkedRequest("s", noul("q", words(100))), never)).rejects.toMatchObject(tooLong)
  })

  test("without expecting blank texts, which are billed but not sent to a strict engine", async () => {
    const { engine, double } = await open(startSglang(), { tokenizer: "engine-prompt" })
    const blank = "\u2003".repeat(340)
    const options = Array.from("abcdefghijklmnopqrstuvwxyz", (name): [string, string] => [name, blank])
    const request = (state: string) => checkedRequest(state, choice("q", "Which?", options))
    expect(await engine.answer(request("Hi"), never)).toHaveLength(1)
    // "Whic", "h?" are two tokens, each option has one for its name and 340 for its description.
    expect(await engine.countTokens(request("Hi"), never)).toEqual({ state: 1, questions: [8_868] })
    double.fault = { kind: "edited", edit: (body) => ({ ...body, usage: { input_tokens: 60, output_tokens: 0 } }) }
    await expect(engine.answer(request(words(300)), never)).rejects.toMatchObject(tooLong)
  })
})

describe("the limit of a pinned model", () => {
  const limited = { tokenizer: "engine", inputLimit: 16_384 }

  test("counts state, one question and the fixed prompt: 16,384 tokens pass, one more is refused without a call", async () => {
    const { engine, calls } = await open(startLlamaCpp({ contextTokens: 100_000 }), limited)
    // "Is", " it?" are two tokens, the fixed prompt has 128.
    const of = (tokens: number) => checkedRequest(words(tokens), noul("q", "Is it?"), noul("r", "Is it?"))
    await engine.answer(of(16_384 - 128 - 2), never)
    const asked = calls().length
    await expect(engine.answer(of(16_384 - 128 - 1), never)).rejects.toMatchObject(tooLong)
    expect(calls()).toHaveLength(asked)
  })

  test("applies to each question with all its options, not to all questions together", async () => {
    const { engine } = await open(startLlamaCpp({ contextTokens: 100_000 }), limited)
    const nouls = Array.from({ length: 16 }, (_, i) => noul(`q${i}`, words(2_000)))
    expect(await engine.answer(checkedRequest(words(10_000), ...nouls), never)).toHaveLength(16)
    const options = Array.from({ length: 100 }, (_, i): [string, string] => [`o${i}`, words(100)])
    await expect(engine.answer(checkedRequest(words(10_000), choice("c", "Q?", options)), never)).rejects.toMatchObject(
      tooLong,
    )
  })

  const kinds = ["kev", "lev", "openjev", "nimble", "clef"] as const
  const families = kinds.flatMap((kind) => [1, 60].map((optionTokens) => ({ kind, optionTokens })))
  test.each(families)(
    "is kept with 255 options of $optionTokens tokens by a $kind model as docs/engines.md starts it",
    async ({ kind, optionTokens }) => {
      const maxOptions = kind === "openjev" ? 52 : 255
      const started = startLlamaCpp({ kind, maxOptions, slots: 8, contextTokens: 144_384 / 8, batchTokens: 8_192 })
      const { engine } = await open(started, limited)
      const options = Array.from({ length: 255 }, (_, i): [string, string] => [String(i), words(optionTokens)])
      const request = (tokens: number) => checkedRequest(words(tokens), choice("c", "Which?", options))
      // "Whic", "h?" are two tokens, each option's name is one, the fixed prompt has 128.
      const most = 16_384 - 128 - 2 - 255 * (1 + optionTokens)
      const [answer] = await engine.answer(request(most), never, () => () => {})
      expect(answer).toMatchObject({ type: "choice", probabilities: { length: 255 } })
      await expect(engine.answer(request(most + 1), never)).rejects.toMatchObject(tooLong)
    },
  )

  test("a state over the engine's context is refused after two calls, however many options there are", async () => {
    const { engine, calls } = await open(startLlamaCpp({ kind: "nimble", contextTokens: 400 }))
    const options = Array.from({ length: 255 }, (_, i) => String(i))
    const request = checkedRequest(words(500), choice("c", "Which?", options))
    await expect(engine.answer(request, never)).rejects.toMatchObject(tooLong)
    expect(calls().map(([question]) => question?.options)).toEqual([255, 128])
  })

  test("refuses a state uncounted when its bytes exceed the limit for any vocabulary", async () => {
    const { engine, double } = await open(startLlamaCpp({ contextTokens: 100_000 }), limited)
    const before = double.requests.length
    const hopeless = checkedRequest("w".repeat(512 * 16_385), noul("q", "Is it?"))
    await expect(engine.countTokens(hopeless, never)).rejects.toMatchObject(tooLong)
    await expect(engine.answer(hopeless, never)).rejects.toMatchObject(tooLong)
    expect(double.requests).toHaveLength(before)
  })

  test("is checked without calls to /tokenize when the model has no tokenizer", async () => {
    const { engine, double } = await open(startLlamaCpp({ isPlainWire: true }), { inputLimit: 16_384 })
    const before = double.requests.length
    await engine.answer(checkedRequest(words(100), noul("q", "Is it?")), never)
    expect(double.requests.slice(before).filter(({ path }) => path === "/tokenize")).toHaveLength(0)
  })
})

describe("an engine that answers for another model", () => {
  test("is 503 at once, and unavailable from its next probe on", async () => {
    for (const isPlainWire of [true, false]) {
      const { engine, double } = await open(startLlamaCpp({ isPlainWire }))
      double.settings.answersAs = "laya"
      const request = checkedRequest("s", noul("q", "Is it?"))
      await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "model_unavailable" })
      expect(await engine.probe(never)).toMatchObject({
        available: false,
        reason: "The engine answered as laya when it was asked for kev-4b.",
      })
    }
  })

  test("is never available when its family echoes the model's name", async () => {
    const { found } = await open(startLlamaCpp({ answersAs: "laya" }))
    expect(found).toMatchObject({ available: false })
  })
})
