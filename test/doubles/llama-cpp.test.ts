import { Agent, request } from "undici"
import { afterEach, describe, expect, test } from "vitest"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "./llama-cpp"

const opened: LlamaCppDouble[] = []
afterEach(async () => {
  for (const double of opened.splice(0)) await double.stop()
})

async function start(settings: Partial<LlamaCppSettings> = {}): Promise<LlamaCppDouble> {
  const double = await startLlamaCpp(settings)
  opened.push(double)
  return double
}

const agent = new Agent()
const noul = (instructions: unknown = "Is it?") => ({ type: "noul", instructions })
const choice = (count: number, text = "o") => ({
  type: "choice",
  instructions: "Which?",
  criteria: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${text}${i}`, null])),
})

async function post({ url }: LlamaCppDouble, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const options = { method: "POST" as const, body: text, dispatcher: agent }
  const { statusCode: status, headers, body: answer } = await request(`${url}/v1/systemone`, options)
  const json = (await answer.json()) as {
    error?: { type: string; message: string }
    answers: Record<string, { noul: number }>
    usage: { input_tokens: number }
  }
  return { status, headers, json, tokens: json.usage?.input_tokens }
}

const nouls = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, noul()]))

describe("requests that the real server treats unlike its documentation", () => {
  test.each([[""], [{}], [[]]])("empty instructions %j are answered, missing ones refused", async (instructions) => {
    const double = await start()
    expect((await post(double, { state: "s", questions: { q: noul(instructions) } })).status).toBe(200)
    expect((await post(double, { state: "s", questions: { q: { type: "noul" } } })).status).toBe(400)
  })

  test.each([['{"state":'], ['{"state":"s","questions":{"q":{"type":"noul","instructions":[1e400]}}}']])(
    "a body that its parser refuses is 500 server_error: %s",
    async (body) => {
      const { status, json } = await post(await start(), body)
      expect([status, json.error?.type]).toEqual([500, "server_error"])
    },
  )

  test("an error closes the connection, and a response announces that it stays open for 5 s", async () => {
    const double = await start({ isDecisionModel: false })
    const refused = await post(double, { state: "s", questions: nouls(1) })
    expect([refused.status, refused.headers.connection]).toEqual([501, "close"])
    double.settings.isDecisionModel = true
    const { headers } = await post(double, { state: "s", questions: nouls(1) })
    expect([headers.connection, headers["keep-alive"]]).toEqual(["keep-alive", "timeout=5"])
  })

  test("the options of a kev choice must fit in a batch", async () => {
    const double = await start({ batchTokens: 200 })
    const { status, json } = await post(double, { state: "s", questions: { q: choice(100) } })
    expect([status, json.error?.type]).toEqual([400, "exceed_batch_size_error"])
    double.settings.batchTokens = 2_048
    expect((await post(double, { state: "s", questions: { q: choice(100) } })).status).toBe(200)
  })

  test("the stricter variant refuses with 422, and counts a shared prefix once", async () => {
    const double = await start({ isStrictVariant: true, maxOptions: 52 })
    const refused = async (questions: unknown, state: unknown = "s") => {
      const { status, json } = await post(double, { state, questions })
      return [status, json.error?.message]
    }
    expect(await refused({ q: noul("") })).toEqual([422, 'questions.q: "instructions" must be provided'])
    expect(await refused({ q: choice(60) })).toEqual([422, "questions.q: 60 options, at most 52 are supported"])
    const deep = JSON.parse("[".repeat(40) + "]".repeat(40))
    expect(await refused({ q: noul() }, deep)).toEqual([422, "the request is nested too deeply"])
    const alone = await post(double, { state: "word ".repeat(100), questions: nouls(1) })
    const together = await post(double, { state: "word ".repeat(100), questions: nouls(2) })
    expect(together.tokens).toBeLessThan(2 * alone.tokens - 100)
  })
})

describe("what a model reads", () => {
  test.each([
    ["kev", "a: 1\nb:\n  - x\n  - True\nc:", { a: 1, b: ["x", true], c: null }],
    ["lev", '{"a": 1, "b": [{"c": 2, "d": "x"}]}', { b: [{ d: "x", c: 2 }], a: 1 }],
    ["openjev", '{"b": [1, 2], "a": null}', { b: [1, 2], a: null }],
  ] as const)("%s renders an object in its own form", async (kind, text, state) => {
    const double = await start({ kind })
    await post(double, { state, questions: nouls(1) })
    expect(double.lastPrompts[0]?.text.trimEnd()).toBe(text)
  })

  test("special tokens in a text are one token each for openjev, and letters for kev", async () => {
    const state = "<|im_start|>user\nhi<|im_end|>".repeat(5)
    const tokensOf = async (kind: "kev" | "openjev", text: string) =>
      (await post(await start({ kind }), { state: text, questions: nouls(1) })).tokens
    // Each turn is 4 tokens read as markup. As letters, all five are 35 pieces of up to four characters.
    expect((await tokensOf("openjev", state)) - (await tokensOf("openjev", "s"))).toBe(5 * 4 - 1)
    expect((await tokensOf("kev", state)) - (await tokensOf("kev", "s"))).toBe(35 - 1)
  })

  test("kev, openjev and lev read questions separately; nimble lists all in each prompt; clef reads all in one", async () => {
    for (const [kind, sign] of [
      ["kev", 0],
      ["openjev", 0],
      ["lev", 0],
      ["nimble", 1],
      ["clef", -1],
    ] as const) {
      const double = await start({ kind })
      const state = "some state"
      const [a, b, both] = [
        await post(double, { state, questions: { a: noul("Is it a test?") } }),
        await post(double, { state, questions: { b: noul("Is it about money?") } }),
        await post(double, { state, questions: { a: noul("Is it a test?"), b: noul("Is it about money?") } }),
      ]
      expect(Math.sign(both.tokens - a.tokens - b.tokens), kind).toBe(sign)
    }
  })

  test("probabilities differ by at most 1e-3 between shapes of a call, and not at all within one", async () => {
    const double = await start({ noise: 1e-3 })
    const ask = async (count: number) =>
      (await post(double, { state: "s", questions: nouls(count) })).json.answers.q0?.noul
    const [alone, again, beside] = [await ask(1), await ask(1), await ask(4)]
    expect(again).toBe(alone)
    const apart = Math.abs((beside ?? 0) - (alone ?? 0))
    expect(apart).toBeGreaterThan(1e-6)
    expect(apart).toBeLessThanOrEqual(1e-3)
  })
})

describe("slots", () => {
  const long = "word ".repeat(2_000)

  test("a hybrid model reads the state once per group of questions, and others reuse it between groups and calls", async () => {
    const computed = async (isHybrid: boolean, calls: number[]) => {
      const double = await start({ isHybrid })
      for (const count of calls) await post(double, { state: long, questions: nouls(count) })
      return Math.round(double.prompts.computed / 2_000)
    }
    expect(await computed(true, [4])).toBe(1)
    expect(await computed(true, [16])).toBe(4)
    expect(await computed(true, [1, 4])).toBe(2)
    expect(await computed(false, [1, 4])).toBe(1)
    expect(await computed(false, [16])).toBe(1)
  })

  test("a group waits for as many free slots as it has questions, and single questions overtake it", async () => {
    const double = await start({ slots: 4, batchTokens: 500 })
    double.slots.stepByStep()
    const done: string[] = []
    const ask = (name: string, state: string, count: number) =>
      post(double, { state, questions: nouls(count) }).then(() => done.push(name))
    const first = ask("first", long, 1)
    await expect.poll(() => double.slots.waiting).toBe(1)
    await double.slots.step()
    const group = ask("group", "s", 4)
    await expect.poll(() => double.slots.waiting).toBe(4)
    const small = ask("small", "s", 1)
    await expect.poll(() => double.slots.waiting).toBe(5)
    while (done.length < 3) {
      await double.slots.step()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all([first, group, small])
    expect(done.toSorted()).toEqual(["first", "group", "small"])
    expect(done.at(-1)).toBe("group")
  })

  test("a small question ends with the batch of a long one, and /health responds meanwhile", async () => {
    const double = await start({ batchTokens: 8_192 })
    double.slots.stepByStep()
    const both = [long, "s"].map((state) => post(double, { state, questions: nouls(1) }))
    await expect.poll(() => double.slots.waiting).toBe(2)
    const { statusCode } = await request(`${double.url}/health`, { dispatcher: agent })
    expect([statusCode, double.slots.batches]).toEqual([200, 0])
    await double.slots.step()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
  })
})
