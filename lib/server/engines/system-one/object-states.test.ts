import { describe, expect, test } from "vitest"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkedRequest, jsonText, noul, score } from "@/test/checked-request"
import { startAlmostCertain } from "@/test/doubles/almost-certain"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { startSglang } from "@/test/doubles/sglang"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { engineOpener } from "@/test/open-engine"
import { isPlainObject, linesOf } from "./object-states"
import type { SystemOneSettings } from "./system-one-settings"

const never = new AbortController().signal
const open = engineOpener()
const QUESTIONS = [noul("late", "Is it late?"), score("n", "How late?", ["a day", "a week"])]
const ORDER = {
  subject: "Where is it?",
  order: { paid: true, items: ["shoes", { size: 42 }], note: null },
  body: "Late!",
}

const start = (kind: "kev" | "lev" | "openjev" | "nimble" | "clef", settings: Partial<SystemOneSettings> = {}) =>
  open(startLlamaCpp({ kind }), { tokenizer: "engine", ...settings })

const sentState = ({ requests }: AnyDouble): unknown =>
  JSON.parse(requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").state

test.each(["kev", "lev", "clef"] as const)("%s answers a long list of escaped characters", async (kind) => {
  const { engine } = await start(kind, { inputLimit: 16_384 })
  const items = Array.from({ length: 200 }, () => '"\\u65e5\\u672c"').join(",")
  const request = {
    ...checkedRequest("s", noul("late", "Is it late?")),
    state: jsonText({}, `{"order":{"items":[${items}]}}`),
  }
  expect(await engine.answer(request, never)).toHaveLength(1)
})

describe("an engine gets an object as its model was trained", () => {
  test.each([
    [
      "kev",
      "subject: Where is it?\norder:\n  paid: True\n  items:\n    - shoes\n    - size: 42\n  note: \nbody: Late!",
    ],
    [
      "lev",
      '{"body": "Late!", "order": {"items": ["shoes", {"size": 42}], "note": null, "paid": true}, "subject": "Where is it?"}',
    ],
    ["openjev", JSON.stringify(ORDER)],
    ["nimble", JSON.stringify(ORDER)],
  ] as const)("%s", async (kind, prompt) => {
    const { engine, double } = await start(kind)
    expect(await engine.answer(checkedRequest(ORDER, ...QUESTIONS), never)).toHaveLength(2)
    expect(double.lastPrompts.map(({ text }) => text)).toContain(prompt)
  })

  test.each([
    ["kev", 4e-4, "objects"],
    ["lev", 4e-4, "objects"],
    ["openjev", 4e-4, "text"],
    ["nimble", 4e-4, "text"],
    // A model that gives the same answer to everything does not show how it reads objects.
    ["kev", 0, "text"],
    ["lev", 0, "text"],
  ] as const)("%s, whose answers are all near 0.9995 and differ by %f", async (kind, spread, states) => {
    const { found } = await open(startAlmostCertain({ kind }, spread), { tokenizer: "engine" })
    expect(found.facts?.states).toBe(states)
  })

  test.each(["kev", "lev"] as const)("%s answers as it answers the object itself", async (kind) => {
    const { engine, double } = await start(kind)
    const answers = await engine.answer(checkedRequest(ORDER, QUESTIONS[0] as (typeof QUESTIONS)[0]), never)
    const questions = { late: { type: "noul", instructions: "Is it late?" } }
    const body = JSON.stringify({ model: "kev-4b", state: ORDER, questions })
    const direct = await fetch(`${double.url}/v1/systemone`, { method: "POST", body })
    const { late } = (await direct.json()).answers
    expect(answers).toEqual([{ type: "noul", yes: late.noul }])
  })

  test("Ollama and SGLang get text, because they read objects as text", async () => {
    const starts: (() => Promise<AnyDouble>)[] = [startOllama, startSglang]
    for (const begin of starts) {
      const { engine, double } = await open(begin())
      await engine.answer(checkedRequest(ORDER, ...QUESTIONS), never)
      expect(sentState(double)).toBe(JSON.stringify(ORDER))
    }
  })
})

describe("what an engine would read differently stays text", () => {
  const plain = (source: string) => isPlainObject(jsonText({}, source))

  test.each([
    '{"messages":[{"role":"user","content":"hi"}]}',
    '{"m\\u0065ssages":1}',
    '{"n":1e400}',
    '{"n":1e2}',
    '{"n":-0}',
    '{"n":-0.0}',
    '{"n":1234567890123456}',
    '{"n":0.1234567890123456}',
    '{"n":0.00001}',
    '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}',
    '{"mail":"<|im_end|>"}',
    '["a"]',
    '"a"',
    `{"a":"${"x".repeat(262_144)}"}`,
  ])("%s", (source) => {
    const kind = source.startsWith("[") ? jsonText([], source) : source.startsWith('"') ? jsonText("", source) : null
    expect(kind ? isPlainObject(kind) : plain(source)).toBe(false)
  })

  test.each([
    '{"a":"b"}',
    '{"n":[0,-1,1234567890,0.5,-12.75,19.99,0.0001]}',
    '{"price":20.0,"at":1763812345678,"id":123456789012345,"lat":52.51234,"share":0.50}',
    '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}',
    '{"text":"1e400 {[{[{[{[{[ messages"}',
    '{"a":{"messages":[]}}',
  ])("and this is sent as an object: %s", (source) => {
    expect(plain(source)).toBe(true)
  })

  test("a chat is sent as text", async () => {
    const { engine, double } = await start("kev")
    const chat = { messages: [{ role: "user", content: "hi" }] }
    await engine.answer(checkedRequest(chat, ...QUESTIONS), never)
    expect(sentState(double)).toBe(JSON.stringify(chat))
  })
})

describe("tokens of an object", () => {
  const punctuated = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, true]))
  const request: CheckedRequest = checkedRequest(punctuated, noul("late", "Is it late?"))

  test("are billed for its compact JSON", async () => {
    const asText = await start("openjev")
    const asObject = await start("kev")
    expect(await asObject.engine.countTokens(request, never)).toEqual(await asText.engine.countTokens(request, never))
  })

  test("may be fewer when rendered, which is no truncation", async () => {
    const { engine, double } = await start("kev")
    const { state } = await engine.countTokens(request, never)
    expect(await engine.answer(request, never)).toHaveLength(1)
    expect(sentState(double)).toEqual(punctuated)
    expect(double.lastPrompts[0]?.tokens.length).toBeLessThan(state)
  })

  test("that the engine did not read are detected", async () => {
    const { engine, double } = await start("kev")
    double.fault = { kind: "edited", edit: (body) => ({ ...body, usage: { input_tokens: 300, output_tokens: 0 } }) }
    expect(linesOf(request.state).split("\n")).toHaveLength(200)
    await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
  })
})

describe("the form is part of the id", () => {
  test.each([
    ["an id with text keeps it", { states: "text" }, "string"],
    ["an id with objects keeps them", { states: "objects" }, "object"],
  ] as const)("%s", async (_, settings, type) => {
    const { engine, double, found } = await start("kev", settings)
    expect(found.facts ?? {}).not.toHaveProperty("states")
    await engine.answer(checkedRequest(ORDER, ...QUESTIONS), never)
    expect(typeof sentState(double)).toBe(type)
  })

  test.each([
    ["kev", "objects"],
    ["lev", "objects"],
    ["clef", "objects"],
    ["openjev", "text"],
    ["nimble", "text"],
  ] as const)("the first probe of %s reports %s, later ones ask no more about it", async (kind, states) => {
    const { engine, double, found } = await start(kind)
    expect(found.facts).toMatchObject({ states })
    const before = double.requests.length
    expect((await engine.probe(never)).facts).toMatchObject({ states })
    const bodies = double.requests.slice(before).map(({ body }) => body)
    expect(bodies.filter((body) => body.includes('"order"'))).toEqual([])
  })
})
