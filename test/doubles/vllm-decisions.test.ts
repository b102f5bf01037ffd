import { afterAll, beforeAll, expect, test } from "vitest"
import { startVllmDecisions, type VllmDecisionsDouble } from "./vllm-decisions"

let vllm: VllmDecisionsDouble
beforeAll(async () => {
  vllm = await startVllmDecisions({ apiKey: "k" })
})
afterAll(() => vllm.stop())

async function post(body: unknown, authorization = "Bearer k") {
  const headers = { authorization, "content-type": "application/json" }
  const response = await fetch(`${vllm.url}/v1/systemone`, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const about = (question: object) => ({ state: "s", questions: { a: question } })
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, null]))
const noul = { type: "noul", instructions: "Is it?" }

test.each<[string, object, string]>([
  ["an unknown member of a question", about({ ...noul, x: 1 }), "question 'a': unknown field(s) ['x']"],
  ["an unknown type", about({ type: "rank" }), "unknown question type 'rank'; supported: ['choice', 'noul', 'score']"],
  ["27 options", about({ type: "choice", criteria: names(27) }), "question 'a': at most 26 options for this model"],
  [
    "options in a list",
    about({ type: "choice", criteria: ["x"] }),
    "question 'a': choice criteria must map option names to a description or null",
  ],
  [
    "one level",
    about({ type: "score", criteria: ["x"] }),
    "question 'a': score criteria must be an ordered list of levels",
  ],
  ["equal levels", about({ type: "score", criteria: ["x", "x"] }), "question 'a': duplicate option names"],
  [
    "another description than of true and false",
    about({ type: "noul", criteria: { yes: "x" } }),
    "question 'a': noul criteria must be an object with true and false",
  ],
  [
    "65 questions",
    { state: "s", questions: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`q${i}`, noul])) },
    "questions: at most 64 for this model",
  ],
  ["an empty id", { state: "s", questions: { "": noul } }, "question ids must be non-empty"],
])("refuses %s with vLLM's text", async (_, body, message) => {
  expect(await post(body)).toEqual({
    status: 400,
    body: { error: { message, type: "BadRequestError", param: null, code: 400 } },
  })
})

test("ignores unknown members beside the questions, and reports the label mass of each question", async () => {
  const { status, body } = await post({ ...about(noul), unknown: 1, cache_salt: "x" })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    object: "structured_decision",
    model: "qwen3-8b",
    usage: { output_tokens: 1 },
    diagnostics: { a: { label_mass: 0.9375, argmax_is_label: true } },
  })
  const { noul: yes, probabilities, confidence } = body.answers.a
  expect(probabilities).toEqual({ yes, no: 1 - yes })
  expect(confidence).toBe(Math.max(yes, 1 - yes) * 0.9375)
})

test("counts the state once for each question", async () => {
  const one = (await post({ state: "word ".repeat(50), questions: { a: noul } })).body.usage
  const two = (await post({ state: "word ".repeat(50), questions: { a: noul, b: noul } })).body.usage
  expect(two).toEqual({ input_tokens: 2 * one.input_tokens, output_tokens: 2 })
})

test("protects /v1 with its key, and nothing else", async () => {
  expect(await post(about(noul), "Bearer other")).toEqual({ status: 401, body: { error: "Unauthorized" } })
  expect((await fetch(`${vllm.url}/v1/models`)).status).toBe(401)
  expect(await (await fetch(`${vllm.url}/version`)).json()).toEqual({ version: "0.33.0" })
})

test("refuses another model with 404, and every decision with 501 when its architecture has none", async () => {
  expect(await post({ ...about(noul), model: "other" })).toMatchObject({ status: 404 })
  vllm.settings.isSupported = false
  expect(await post(about(noul))).toMatchObject({ status: 501, body: { error: { type: "NotImplementedError" } } })
})
