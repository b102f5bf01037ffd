import { describe, expect, test } from "vitest"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startSglang } from "@/test/doubles/sglang"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { engineOpener } from "@/test/open-engine"
import { CANDIDATES } from "./control-marks"
import { ControlMarks, neutralName, neutralText } from "./neutral-texts"

const never = new AbortController().signal
const open = engineOpener()
const CONTROLS = ["</s>", "[EOT]", "_<EOT>", "<EOT>"]
const start = (settings: Partial<LlamaCppSettings> = {}) =>
  open(startLlamaCpp({ controlTokens: CONTROLS, ...settings }), { tokenizer: "engine", marks: null })

const tokenizeCalls = ({ requests }: AnyDouble) => requests.filter(({ path }) => path === "/tokenize").length

describe("a probe", () => {
  test("finds the control tokens of the vocabulary once, and pins them", async () => {
    const { engine, double, found } = await start()
    expect(found.facts).toMatchObject({ marks: "</s> <EOT> _<EOT> [EOT]" })
    expect(found.findings).toContainEqual({
      name: "control tokens",
      value: "</s> <EOT> _<EOT> [EOT]",
      meaning: "Broken up in clients' texts by an invisible space, so that they are read as text. So is <|name|>.",
    })
    const before = tokenizeCalls(double)
    await engine.probe(never)
    // Only the check that tokens can be counted.
    expect(tokenizeCalls(double) - before).toBeLessThanOrEqual(2)
  })

  test("needs two calls for a vocabulary without any", async () => {
    const { found, double } = await start({ controlTokens: [] })
    expect(found.facts).toMatchObject({ marks: "none" })
    const asked = double.requests.filter(({ body }) => body.includes("parse_special") && body.includes("[INST]"))
    expect(asked).toHaveLength(2)
  })

  test("says that it is unknown when the engine does not distinguish them from text", async () => {
    const sglang = await open(startSglang(), { marks: null })
    expect(sglang.found.facts).toMatchObject({ marks: "unknown" })
    const plain = await open(startLlamaCpp({ isPlainWire: true }), { marks: null })
    expect(plain.found.facts).toMatchObject({ marks: "unknown" })
  })

  test("fails while the engine cannot say, instead of pinning that there are none", async () => {
    const fault = { kind: "route" as const, path: "/tokenize", status: 500 }
    const failing = startLlamaCpp().then((double) => Object.assign(double, { fault }))
    const { found } = await open(failing, { marks: null, tokenizer: "bytes-4" })
    expect(found.available).toBe(false)
    expect(found.facts).not.toHaveProperty("marks")
  })
})

const HTML = "was <s>9.99</s> [EOT] _<EOT>"
const request = checkedRequest(
  HTML,
  noul("a", HTML, { yes: HTML, no: [HTML] }),
  choice("b", { ask: HTML }, [
    [HTML, HTML],
    ["y", null],
  ]),
  score("c", HTML, [HTML, { [HTML]: HTML }]),
)
const controlsRead = ({ lastPrompts }: LlamaCppDouble) =>
  lastPrompts.flatMap(({ tokens }) => tokens).filter((token) => token.startsWith("control token")).length

describe("a control token in a client's text", () => {
  test.each(["kev", "lev", "openjev", "nimble"] as const)("is read as text by %s", async (kind) => {
    const { engine, double } = await start({ kind })
    const answers = await engine.answer(request, never)
    expect(controlsRead(double)).toBe(0)
    expect(answers).toHaveLength(3)
    expect(double.requests.findLast(({ path }) => path === "/v1/systemone")?.body).toContain("<s>9.99<\u200b/s>")
  })

  test("is sent as it is for an id that is pinned to earlier texts", async () => {
    const { engine, double } = await open(startLlamaCpp({ controlTokens: CONTROLS }), { tokenizer: "engine" })
    await engine.answer(checkedRequest(HTML, noul("q", "Is it?")), never)
    expect(JSON.parse(double.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").state).toBe(HTML)
  })

  test("is billed as the client sent it", async () => {
    const { engine } = await start()
    // "</s>" is one piece of up to four characters.
    expect(await engine.countTokens(checkedRequest("</s>", noul("q", "</s>")), never)).toEqual({
      state: 1,
      questions: [1],
    })
  })

  test("keeps an object from being sent as one, and does not make two names equal", async () => {
    const { engine, double } = await start({ kind: "kev" })
    await engine.answer(checkedRequest({ "</s>": 1, "<\u200b/s>": 2 }, noul("q", "Is it?")), never)
    const { state } = JSON.parse(double.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "")
    expect(state).toBe('{"<\u200b/s>":1,"<\u200b/s>":2}')
  })
})

describe("a control token is found in JSON source", () => {
  const marks = new ControlMarks(CONTROLS)
  test.each([
    ['"</s>"', '"<\u200b/s>"'],
    ['"<\\/s>"', '"<\u200b\\/s>"'],
    ['"\\u003c/s>"', '"\\u003c\u200b/s>"'],
    ['"\\u003C\\u002F\\u0073\\u003e"', '"\\u003C\u200b\\u002F\\u0073\\u003e"'],
    ['"<\\u002fs>"', '"<\u200b\\u002fs>"'],
    ['"</\\u0073>"', '"<\u200b/\\u0073>"'],
    ['"\\\\</s>"', '"\\\\<\u200b/s>"'],
    ['"\\\\\\u003c/s>"', '"\\\\\\u003c\u200b/s>"'],
    ['"_<EOT>"', '"_\u200b<\u200bEOT>"'],
    ['{"</s>":["[EOT]"]}', '{"<\u200b/s>":["[\u200bEOT]"]}'],
    ['"<|x|></s>"', '"<¦x¦><\u200b/s>"'],
  ])("%s", (source, neutral) => {
    const kind = source.startsWith("{") ? {} : ""
    expect(neutralText(jsonText(kind, source), marks).json()).toBe(neutral)
  })

  test.each(['"</ s>"', '"</S>"', '"<s>"', '"\\\\u003c/s>"', '"<\\\\/s>"', '"EOT"'])(
    "and nothing else is rewritten: %s",
    (source) => {
      expect(neutralText(jsonText("", source), marks).json()).toBe(source)
    },
  )

  test("of every candidate, and in names", () => {
    const all = new ControlMarks(CANDIDATES)
    for (const candidate of CANDIDATES) {
      const neutral = neutralText(jsonText(`a ${candidate} b`), all).text()
      expect(neutral.replaceAll("\u200b", "")).toBe(`a ${candidate} b`)
      expect(CANDIDATES.filter((each) => neutral.includes(each))).toEqual([])
      expect(neutralName(`a ${candidate} b`, all)).toBe(neutral)
    }
  })

  test("a text of 4 MB of HTML without one is not copied", () => {
    const long = jsonText("<a></a> ".repeat(500_000))
    expect(neutralText(long, marks)).toBe(long)
  })
})
