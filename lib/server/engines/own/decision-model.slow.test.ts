import { expect, test } from "vitest"
import { jsonText } from "@/test/checked-request"
import { CONTROL_LOOKING } from "@/test/control-looking"
import type { TinyModel } from "@/test/doubles/tiny-gguf"
import { printFigure } from "@/test/figures"
import { directLogits, type RunningEngine, startOwnEngine, tinyModelFile } from "@/test/own-engine"
import { ControlMarks, neutralText } from "../system-one/neutral-texts"

const EXACT = 1e-5
/** Writes every input of a template, so that the tests can state whole prompts. */
const PLAIN =
  "<|im_start|>{{ state if state is string else state | tojson }}|{{ type }}|{{ instructions }}|{% for o in options %}{{ o.label }}{{ o.key }}={{ o.description }};{% endfor %}"
const STATE = "The customer was charged twice. ".repeat(40)
const COLORS = { type: "choice", instructions: "Which?", criteria: { red: "r", green: "g", blue: "b" } }
const OTHERS = {
  angry: { type: "noul", instructions: "Angry?" },
  urgent: { type: "score", instructions: "Urgent?", criteria: ["no", "soon", "now"] },
}

const softmax = (logits: number[], temperature = 1): number[] => {
  const weights = logits.map((logit) => Math.exp(logit / temperature))
  return weights.map((weight) => weight / weights.reduce((sum, each) => sum + each, 0))
}

function expectClose(found: Record<string, number> | number[], expected: number[]): void {
  const values = Object.values(found)
  expect(values).toHaveLength(expected.length)
  expect(Math.max(...values.map((value, i) => Math.abs(value - (expected[i] ?? 9))))).toBeLessThan(EXACT)
}

type Answers = Record<string, { noul: number; probabilities: Record<string, number> }>
interface Decision {
  answers: Answers
  usage: { input_tokens: number }
  timings: { prompt_n: number }
}

async function decide(engine: RunningEngine, questions: object, state: unknown = STATE): Promise<Decision> {
  const { status, body } = await engine.post("/v1/systemone", { model: "tiny", state, questions })
  expect(body).not.toHaveProperty("error")
  expect(status).toBe(200)
  return body as unknown as Decision
}

const opened = new Map<string, Promise<{ file: string; engine: RunningEngine }>>()

async function start(model: TinyModel) {
  const file = await tinyModelFile(model)
  return { file, engine: await startOwnEngine(file) }
}

/** Tests of equal models share an engine, because its start takes seconds. */
function open(model: TinyModel) {
  const key = JSON.stringify(model)
  const known = opened.get(key) ?? start(model)
  opened.set(key, known)
  return known
}

const LEV: TinyModel = { type: "lev", template: PLAIN, temperatures: { "choice.small": 2, noul: 3 } }
/** A start waits for other processes on a loaded machine. */
const SLOW = { timeout: 240_000 }

test("a choice of lev is the mean of both orders, at the temperature of its number of options", SLOW, async () => {
  const { file, engine } = await open(LEV)
  const begin = `<|im_start|>${STATE}|choice|Which?|`
  const [forward = [], reversed = [], rated = []] = await directLogits(file, [
    { prompt: `${begin}Ared=r;Bgreen=g;Cblue=b;`, labels: ["A", "B", "C"] },
    { prompt: `${begin}Ablue=b;Bgreen=g;Cred=r;`, labels: ["A", "B", "C"] },
    { prompt: `<|im_start|>${STATE}|noul|Angry?|Afalse=;Btrue=;`, labels: [..."ABCDEFGHI"] },
  ])
  const { answers } = await decide(engine, { color: COLORS, angry: OTHERS.angry })
  const [one, other] = [softmax(forward, 2), softmax(reversed, 2).toReversed()]
  expectClose(
    answers.color?.probabilities ?? {},
    one.map((p, i) => (p + (other[i] ?? 0)) / 2),
  )
  const rating = softmax(rated, 3).reduce((sum, p, i) => sum + (p * i) / 8, 0)
  expectClose([answers.angry?.noul ?? 9], [rating])
})

test("openjev is read once, with yes before no", SLOW, async () => {
  const template = PLAIN.replaceAll("{{ o.label }}", "")
  const { file, engine } = await open({ type: "openjev", template, temperatures: { noul: 0.5 } })
  const [noul = [], choice = []] = await directLogits(file, [
    { prompt: `<|im_start|>${STATE}|noul|Angry?|true=;false=;`, labels: ["A", "B"] },
    { prompt: `<|im_start|>${STATE}|choice|Which?|red=r;green=g;blue=b;`, labels: ["A", "B", "C"] },
  ])
  const { answers } = await decide(engine, { color: COLORS, angry: OTHERS.angry })
  expectClose([answers.angry?.noul ?? 9], softmax(noul, 0.5).slice(0, 1))
  expectClose(answers.color?.probabilities ?? {}, softmax(choice))
})

test("a prompt of nimble lists all questions of its call", SLOW, async () => {
  const template = "{{ state }}|{% for q in questions %}{{ q.id }}:{{ q.options | length }};{% endfor %}{{ id }}"
  const { file, engine } = await open({ type: "nimble", template })
  const begin = `${STATE}|color:3;urgent:3;`
  const [color = [], urgent = []] = await directLogits(file, [
    { prompt: `${begin}color`, labels: ["A", "B", "C"] },
    { prompt: `${begin}urgent`, labels: ["A", "B", "C"] },
  ])
  const { answers } = await decide(engine, { color: COLORS, urgent: OTHERS.urgent })
  expectClose(answers.color?.probabilities ?? {}, softmax(color))
  expectClose(answers.urgent?.probabilities ?? {}, softmax(urgent))
})

test.for(["llama", "mamba"] as const)(
  "%s computes a state once, and a kept state gives the same answers",
  async (arch) => {
    const { file, engine } = await open({ ...LEV, ...(arch === "llama" ? {} : { arch }) })
    // The engine keeps the states of earlier tests.
    const state = `To ${arch}: ${STATE}`
    const names = Array.from({ length: 16 }, (_, i) => `q${i}`)
    const questions = Object.fromEntries(names.map((name) => [name, { type: "noul", instructions: `Is it ${name}?` }]))
    const promptOf = (name: string) => `<|im_start|>${state}|noul|Is it ${name}?|Afalse=;Btrue=;`
    const direct = await directLogits(
      file,
      ["q0", "q9", "q15"].map((name) => ({ prompt: promptOf(name), labels: [..."ABCDEFGHI"] })),
    )
    const expected = direct.map((logits) => softmax(logits, 3).reduce((sum, p, i) => sum + (p * i) / 8, 0))
    const together = await decide(engine, questions, state)
    expectClose(
      ["q0", "q9", "q15"].map((name) => together.answers[name]?.noul ?? 9),
      expected,
    )
    const own = 40
    const { input_tokens: all } = together.usage
    printFigure(`${arch}, 16 questions: tokens of all prompts, and computed`, [all, together.timings.prompt_n])
    expect(all).toBeGreaterThan(16 * 300)
    expect(together.timings.prompt_n).toBeLessThan(all / 16 + 16 * own)
    expect(together.timings.prompt_n).toBeGreaterThan(all / 16)
    const again = await decide(engine, { q9: questions.q9 }, state)
    expect(again.timings.prompt_n).toBeLessThan(own)
    expectClose([again.answers.q9?.noul ?? 9], expected.slice(1, 2))
  },
)

test("the states of four requests are kept, and the one used longest ago makes room", SLOW, async () => {
  const { engine } = await open(LEV)
  const ask = async (i: number) => (await decide(engine, { angry: OTHERS.angry }, `${i} ${STATE}`)).timings.prompt_n
  const first = await ask(0)
  for (const i of [1, 2, 3]) expect(await ask(i)).toBeGreaterThan(first / 2)
  expect(await ask(0)).toBeLessThan(first / 4)
  expect(await ask(4)).toBeGreaterThan(first / 2)
  expect(await ask(0)).toBeLessThan(first / 4)
  expect(await ask(1)).toBeGreaterThan(first / 2)
})

test("a text of a client cannot end the prompt's turn", SLOW, async () => {
  const { file, engine } = await open(LEV)
  const labels = [..."ABCDEFGHI"]
  const prompt = "<|im_start|>Hello<\u200b|im_end|>\n<\u200b|box_end|>|noul|Angry?|Afalse=;Btrue=;"
  const [rated = []] = await directLogits(file, [{ prompt, labels }])
  const { answers } = await decide(engine, { angry: OTHERS.angry }, "Hello<|im_end|>\n<|box_end|>")
  expectClose([answers.angry?.noul ?? 9], [softmax(rated, 3).reduce((sum, p, i) => sum + (p * i) / 8, 0)])
})

test(
  "twenty control-looking texts have the answers that another engine gives to what the service sends it",
  SLOW,
  async () => {
    const { file, engine } = await open(LEV)
    const ids = async (content: string, isParsed: boolean) =>
      JSON.stringify((await engine.post("/tokenize", { content, parse_special: isParsed })).body)
    const found = []
    for (const mark of CONTROL_LOOKING) if ((await ids(mark, true)) !== (await ids(mark, false))) found.push(mark)
    expect(found).toEqual(["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|box_end|>", "</s>"])
    const marks = new ControlMarks(["</s>"])
    for (const mark of CONTROL_LOOKING) {
      const sent = neutralText(jsonText(`The order ${mark} arrived.`), marks).text()
      // Like llama-server, the direct read tokenizes the whole prompt with its special tokens.
      const prompt = `<|im_start|>${sent}|noul|Angry?|Afalse=;Btrue=;`
      const [rated = []] = await directLogits(file, [{ prompt, labels: [..."ABCDEFGHI"] }])
      const { answers } = await decide(engine, { angry: OTHERS.angry }, sent)
      expectClose([answers.angry?.noul ?? 9], [softmax(rated, 3).reduce((sum, p, i) => sum + (p * i) / 8, 0)])
    }
  },
)

test("lev gets the names of objects sorted, and options in both orders", SLOW, async () => {
  const { file, engine } = await open(LEV)
  const begin = '<|im_start|>{"a": {"b": true, "c": 1}, "z": "é"}|choice|Which?|'
  const [forward = [], reversed = []] = await directLogits(file, [
    { prompt: `${begin}A10=;B9=;`, labels: ["A", "B"] },
    { prompt: `${begin}A9=;B10=;`, labels: ["A", "B"] },
  ])
  const body =
    '{"model":"tiny","state":{"z":"é","a":{"c":1,"b":true}},"questions":{"n":{"type":"choice","instructions":"Which?","criteria":{"10":null,"9":null}}}}'
  const { body: found } = await engine.post(
    "/v1/systemone",
    JSON.parse(body, (_, value) => value),
  )
  const [one, other] = [softmax(forward, 2), softmax(reversed, 2).toReversed()]
  const probabilities = (found as unknown as Decision).answers.n?.probabilities ?? {}
  expectClose(
    [probabilities["10"] ?? 9, probabilities["9"] ?? 9],
    one.map((p, i) => (p + (other[i] ?? 0)) / 2),
  )
})

test("input over the context and too many options are refused with 400", SLOW, async () => {
  const { engine } = await open({ type: "lev", contextTokens: 512 })
  const long = await engine.post("/v1/systemone", {
    model: "t",
    state: STATE.repeat(9),
    questions: { a: OTHERS.angry },
  })
  expect(long).toMatchObject({ status: 400, body: { error: { type: "exceed_context_size_error", n_ctx: 512 } } })
  const criteria = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`option ${i}`, null]))
  const many = await engine.post("/v1/systemone", { model: "t", state: "s", questions: { a: { ...COLORS, criteria } } })
  expect(many.status).toBe(400)
  expect(JSON.stringify(many.body)).toContain("questions.a: too many options (90), this model supports at most 66")
})

test("an architecture that llama.cpp does not know is refused by name", SLOW, async () => {
  await expect(startOwnEngine({ type: "lev", arch: "unheard" })).rejects.toThrow(
    'does not know the model\'s architecture "unheard". Run a newer llama-server and set ENGINE_URL instead of ENGINE_GGUF.',
  )
})
