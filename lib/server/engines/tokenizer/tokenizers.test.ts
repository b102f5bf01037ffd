import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { tinyFiles } from "@/test/tiny-tokenizer"
import { totalTokens } from "../token-count"
import { TokenCounter } from "./token-counter"
import { fingerprintOf, type TokenizerFiles } from "./tokenizer-files"
import { MAX_TEXT_BYTES, Tokenizers } from "./tokenizers"

const never = new AbortController().signal
let files: TokenizerFiles
let loads: number
let tokenizers: Tokenizers
let counter: TokenCounter

const open = (options: Parameters<typeof tinyFiles>[0] = {}) => {
  files = tinyFiles(options)
  counter = new TokenCounter(tokenizers.use(fingerprintOf(files)))
  return counter
}

beforeEach(() => {
  loads = 0
  tokenizers = new Tokenizers(async () => {
    loads++
    return files
  })
})
afterEach(() => counter.close())

const countOf = async (text: string | object): Promise<number> =>
  (await counter.count(checkedRequest(text, noul("q", null, {})), never)).state

describe("tokens", () => {
  it("are the tokenizer's own, for each billed text alone", async () => {
    const request = checkedRequest(
      "the customer was charged twice",
      noul("late", "is the charge late?", { yes: "the", no: null }),
      choice("team", null, [["billing", { d: 1 }], "the"]),
      score("urgency", "", ["in", ["the", "ing"]]),
    )
    expect(await open().count(request, never)).toEqual({
      // "the" " " c u s t o m e r " " w a s " charged" " twice"
      state: 1 + 9 + 4 + 2,
      questions: [
        // i s " the" " charge" " " l a t e ? · "the"
        2 + 2 + 6 + 1,
        // b i l l "ing" · {"d":1} · "the"
        5 + 7 + 1,
        // "in" · [ " the ", " ing " ]
        1 + 9,
      ],
    })
  })

  it("do not depend on how the text is escaped in JSON", async () => {
    open()
    expect(await countOf("the charge\nü")).toBe(5)
    const escaped = jsonText("", '"\\u0074he \\u0063harge\\n\\u00fc"')
    const request = { ...checkedRequest("x", noul("q", null, {})), state: escaped }
    expect((await counter.count(request, never)).state).toBe(5)
    expect(await countOf({ the: "charge" })).toBe(9)
    expect(await countOf('{"the":"charge"}')).toBe(9)
  })

  it("of a special token in a text are those of its letters, and an ordinary added token is one", async () => {
    open({
      added: [
        { content: "<|end|>", special: true },
        { content: "<note>", special: false },
      ],
    })
    expect(await countOf("<|end|>")).toBe(7)
    expect(await countOf("<note>")).toBe(1)
  })

  it("that an engine reads count a special token in a text once, and are remembered apart from the billed ones", async () => {
    open({
      added: [
        { content: "<|end|>", special: true },
        { content: "<|end|>\n.*", special: true },
      ],
    })
    const texts = ["the<|end|>the", jsonText("<|end|>\n.*<|end|>"), "the"]
    expect(await countOf("the<|end|>the")).toBe(9)
    expect(await counter.countRead(texts, never)).toEqual([3, 2, 1])
    expect(await counter.countRead(texts, never)).toEqual([3, 2, 1])
    expect(await countOf("the<|end|>the")).toBe(9)
  })

  it("are the same whether counted or remembered, in any worker", async () => {
    open({ normalizer: { type: "NFC" } })
    const texts = ["the", "क़".repeat(50), "charged twice ".repeat(500), "e\u0301"]
    const once = await Promise.all(texts.map(countOf))
    expect(await Promise.all(texts.map(countOf))).toEqual(once)
    await counter.close()
    open({ normalizer: { type: "NFC" } })
    expect(await Promise.all(texts.map(countOf))).toEqual(once)
    // "क़" is written as two letters of three bytes each; "é" is written as one of two.
    expect([once[1], once[3]]).toEqual([300, 2])
  })

  it("include a byte order mark at the start of a text", async () => {
    open()
    expect(await countOf("\uFEFFthe")).toBe(4)
    expect(await counter.countRead(["\uFEFFthe"], never)).toEqual([4])
  })

  it("are counted off the main thread", async () => {
    open()
    await countOf("the")
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    const text = "the charge ".repeat(20_000)
    expect(await countOf(text)).toBeGreaterThan(20_000)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

describe("the upper bound for a hold", () => {
  const most = async (...texts: (string | object)[]) => {
    const request = checkedRequest(texts[0] ?? "", ...texts.slice(1).map((text, i) => noul(`q${i}`, text)))
    return [counter.maxTokens(request), totalTokens(await counter.count(request, never))]
  }

  it("is bytes + 1 per text when the tokenizer cannot lengthen text", async () => {
    open()
    await countOf("the")
    expect(await most("the", "ü", { d: 1 })).toEqual([4 + 3 + 8, 1 + 2 + 7])
  })

  it("requires counting while the tokenizer is not open yet", async () => {
    open()
    expect((await most("the"))[0]).toBeNull()
    expect((await most("the"))[0]).toBe(4)
  })

  it("is three times the bytes when a letter may become several, but bytes + 1 for ASCII", async () => {
    open({ normalizer: { type: "NFC" } })
    await countOf("the")
    expect(await most("the", "charge")).toEqual([11, 2])
    // Each letter has three bytes and becomes six tokens.
    expect(await most("the", "\u0958\u0958")).toEqual([4 + 19, 13])
    const escaped = checkedRequest("the", { ...noul("q", null), instructions: jsonText("", '"\\u0958\\u0958"') })
    expect(counter.maxTokens(escaped)).toBe(4 + 19)
  })

  it("requires counting when it is unknown how much the tokenizer lengthens text", async () => {
    open({ normalizer: { type: "Replace", pattern: { String: " " }, content: "▁" } })
    await countOf("the")
    expect((await most("the"))[0]).toBeNull()
  })
})

describe("a tokenizer", () => {
  it("is loaded once for all its models, and again after a failure", async () => {
    open()
    const other = new TokenCounter(tokenizers.use(fingerprintOf(files)))
    await Promise.all([counter.check(never), other.check(never)])
    expect(loads).toBe(1)
    await other.close()
    expect(await countOf("the")).toBe(1)
    await counter.close()

    files = { tokenizer: new TextEncoder().encode("{}"), config: null }
    counter = new TokenCounter(tokenizers.use("sha256:other"))
    await expect(counter.check(never)).rejects.toMatchObject({ code: "model_unavailable" })
    files = tinyFiles()
    await counter.check(never)
    expect(loads).toBe(3)
  })

  it("has a fingerprint of all its bytes", () => {
    const one = tinyFiles()
    expect(fingerprintOf(one)).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(fingerprintOf(tinyFiles())).toBe(fingerprintOf(one))
    const others = [tinyFiles({ config: { a: 1 } }), tinyFiles({ normalizer: { type: "NFC" } })]
    expect(new Set([one, ...others].map(fingerprintOf)).size).toBe(3)
  })
})

describe("a count", () => {
  it("of a text too long for any such model is refused like the model's limit", async () => {
    open()
    const refusal = await countOf("x".repeat(MAX_TEXT_BYTES + 1)).catch((thrown) => thrown)
    expect([refusal.code, refusal.param]).toEqual(["invalid_request", undefined])
    expect(counter.minTokens("x".repeat(MAX_TEXT_BYTES + 1))).toBe(Number.POSITIVE_INFINITY)
  })
})
