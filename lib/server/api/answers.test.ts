import { describe, expect, it, onTestFinished } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { enginesAvailable } from "@/test/engines-available"
import { insertEngineModel, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"
import type { DecisionResponse } from "./openapi/decision-response"

const STATE = "I was charged twice and nobody has replied."
const ENGINE_MODEL = "svc-engine-1"
const PRICE = 20_000n

const service = await testService()
// Without noise between calls of different shapes, so that answers can be compared exactly.
const engine = await startLlamaCpp({ noise: 0 })
await insertEngineModel(ENGINE_MODEL, engine.url)
await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxQuestions: 128 })
await loadCatalogue(runtime())
await enginesAvailable()

/** Returns what the account can still spend. */
async function leftOf(accountId: string): Promise<bigint> {
  const { balance, held } = await moneyOf(accountId)
  return balance - held
}

/** Sends the body with a new key and expects a 200. Returns its text and its JSON, checked against the document. */
async function answered(body: unknown): Promise<{ text: string; json: DecisionResponse; response: Response }> {
  const { token } = await insertPayer()
  const response = await service.decide(token, body)
  const json = (await expectDescribed(response, "/v1/decisions")) as DecisionResponse
  expect(response.status).toBe(200)
  return { text: await response.text(), json, response }
}
const noul = (instructions: string) => ({ type: "noul", instructions })
const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, p) => total + p, 0)

describe.each([LEXICAL_BASELINE, ENGINE_MODEL])("the answers of %s", (model) => {
  it("repeat each type, with an entry for every option and level", async () => {
    const { json } = await answered({
      model,
      state: { message: STATE },
      questions: {
        angry: noul("Is the customer angry?"),
        team: {
          type: "choice",
          instructions: "Who?",
          criteria: { billing: "Payments", delivery: null, legal: ["Law"] },
        },
        urgency: { type: "score", instructions: "How urgent?", criteria: ["later", { when: "today" }, ["now"]] },
      },
    })
    const { angry, team, urgency } = json.answers
    if (angry?.type !== "noul" || team?.type !== "choice" || urgency?.type !== "score") throw new Error("types differ")
    expect(Object.keys(team.probabilities)).toEqual(["billing", "delivery", "legal"])
    expect(team.probabilities[team.choice]).toBe(Math.max(...Object.values(team.probabilities)))
    expect(sum(team.probabilities)).toBeCloseTo(1, 12)
    const { "0": low = 0, "1": middle = 0, "2": high = 0 } = urgency.probabilities
    expect(low + middle + high).toBeCloseTo(1, 12)
    expect(urgency.score).toBeCloseTo(middle + 2 * high, 12)
    expect(urgency.legend).toEqual({ "0": "later", "1": { when: "today" }, "2": ["now"] })
    expect(json.usage.output_tokens).toBe(3)
  })

  it("do not depend on the other questions of the request", async () => {
    const first = { type: "choice", instructions: "Which?", criteria: { charged: "Money", parcel: "Delivery" } }
    const second = { type: "score", instructions: "How angry?", criteria: ["calm", "angry"] }
    const ask = async (questions: object) => (await answered({ model, state: STATE, questions })).json.answers
    const together = await ask({ first, second, third: noul("Is it about money?") })
    expect((await ask({ first })).first).toEqual(together.first)
    expect((await ask({ second })).second).toEqual(together.second)
  })

  it("are certain for one option or one level", async () => {
    const questions = { c: { type: "choice", criteria: { only: null } }, s: { type: "score", criteria: ["one"] } }
    const { json } = await answered({ model, state: STATE, questions })
    expect(json.answers).toEqual({
      c: { type: "choice", choice: "only", confidence: 1, probabilities: { only: 1 } },
      s: { type: "score", score: 0, confidence: 1, legend: { "0": "one" }, probabilities: { "0": 1 } },
    })
  })

  it("repeat every name and label as sent, in the same order", async () => {
    const names = ["10", "__proto__", "constructor", "2", "toString"]
    const options = ["10", "a b", "__proto__", "😀 é\\u0000", "2", "constructor"]
    const criteria = `{${options.map((name) => `"${name}":null`).join(",")}}`
    const questions = names.map((name) => `"${name}":{"type":"choice","instructions":"Which?","criteria":${criteria}}`)
    const levels = '[ "low" , [1e400, {"b": -0.0, "a": 12345678901234567890}] ]'
    const body = `{"model":"${model}","state":[1e400],"questions":{${questions},"s":{"type":"score","instructions":"How?","criteria":${levels}}}}`
    const { text, json } = await answered(body)
    const order = [...text.matchAll(/"([^"]+)":\{"type":"choice"/g)].map(([, name]) => name)
    expect(order).toEqual(names)
    const shown = options.map((name) => `"${name}":`)
    const listed = text.split('"probabilities":{').slice(1, names.length + 1)
    for (const entries of listed) {
      const positions = shown.map((name) => entries.indexOf(name))
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      expect(positions[0]).toBe(0)
    }
    expect(text).toContain('"legend":{"0":"low","1":[1e400,{"b":-0.0,"a":12345678901234567890}]}')
    expect(Object.keys(json.answers)).toHaveLength(6)
  })

  it("answer 128 questions, 255 options and 10 levels in one request", async () => {
    const options = Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`option ${i}`, null]))
    const most = Object.fromEntries(Array.from({ length: 126 }, (_, i) => [`q${i}`, noul("Is it?")]))
    const levels = Array.from({ length: 10 }, (_, i) => `level ${i}`)
    const { json } = await answered({
      model,
      state: STATE,
      questions: {
        ...most,
        c: { type: "choice", instructions: "Which?", criteria: options },
        s: { type: "score", instructions: "How?", criteria: levels },
      },
    })
    expect(Object.keys(json.answers)).toHaveLength(128)
    expect(json.answers.c?.type === "choice" && Object.keys(json.answers.c.probabilities)).toHaveLength(255)
    expect(json.answers.s?.type === "score" && Object.keys(json.answers.s.legend)).toHaveLength(10)
  })
})

describe("the answers of an engine with numerical noise", () => {
  it("depend on the other questions of the request only by that noise", async () => {
    engine.settings.noise = 1e-3
    onTestFinished(() => {
      engine.settings.noise = 0
    })
    const question = { type: "choice", instructions: "Which?", criteria: { charged: "Money", parcel: "Delivery" } }
    const ask = async (questions: object) => {
      const { first } = (await answered({ model: ENGINE_MODEL, state: STATE, questions })).json.answers
      if (first?.type !== "choice") throw new Error("types differ")
      return first.probabilities.charged ?? Number.NaN
    }
    const alone = await ask({ first: question })
    const together = await ask({ first: question, second: noul("Is it about money?"), third: noul("Is it a parcel?") })
    expect(together).not.toBe(alone)
    expect(Math.abs(together - alone)).toBeLessThanOrEqual(1e-3)
  })
})

describe("what is billed", () => {
  // Both models count four UTF-8 bytes of a text as a token.
  const four = (tokens: number) => "abcd".repeat(tokens)
  const questions = {
    n: { type: "noul", instructions: four(1), criteria: { true: four(2), false: four(3) } },
    c: { type: "choice", instructions: four(4), criteria: { wxyz: four(5), abcd: null } },
    s: { type: "score", instructions: four(6), criteria: [four(7), four(8)] },
  }

  it("is the state once and the content of all instructions and criteria", async () => {
    const one = await answered({ model: LEXICAL_BASELINE, state: four(100), questions: { n: noul(four(1)) } })
    expect(one.json.usage.input_tokens).toBe(101)
    const all = await answered({ model: LEXICAL_BASELINE, state: four(100), questions })
    expect(all.json.usage).toEqual({ input_tokens: 100 + 1 + 2 + 3 + 4 + (1 + 5 + 1) + 6 + 7 + 8, output_tokens: 3 })
  })

  it("is charged again for the same request without an Idempotency-Key, and never output tokens", async () => {
    const { accountId, token } = await insertPayer()
    const before = await leftOf(accountId)
    const body = { model: ENGINE_MODEL, state: four(10), questions }
    const send = async () => {
      const response = await service.decide(token, body, { "x-request-id": "req_mine" })
      const { usage } = (await response.json()) as DecisionResponse
      return { id: response.headers.get("x-request-id"), left: await leftOf(accountId), ...usage }
    }
    const [first, second] = [await send(), await send()]
    expect(before - first.left).toBe(BigInt(first.input_tokens) * PRICE)
    expect(first.left - second.left).toBe(BigInt(second.input_tokens) * PRICE)
    expect([first.id, second.id]).not.toContain("req_mine")
    expect(first.id).not.toBe(second.id)
  })
})

describe("the model of a response", () => {
  it("is the pinned id that the alias points at", async () => {
    const { json } = await answered({ model: ALIAS, state: STATE, questions: { q: noul("Is it?") } })
    expect(json.model).toBe(LEXICAL_BASELINE)
  })

  it("is the pinned id of the request", async () => {
    const { json } = await answered({ model: ENGINE_MODEL, state: STATE, questions: { q: noul("Is it?") } })
    expect(json.model).toBe(ENGINE_MODEL)
  })
})
