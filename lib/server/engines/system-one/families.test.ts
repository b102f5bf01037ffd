import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { startOllaya } from "@/test/doubles/ollaya"
import { startSglang } from "@/test/doubles/sglang"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { startTypesafe } from "@/test/doubles/typesafe"
import { REQUESTS } from "@/test/engine-requests"
import { SystemOneEngine } from "./system-one-engine"

const never = new AbortController().signal
const places = () => () => {}
interface Family {
  name: string
  double: AnyDouble
  engine: SystemOneEngine
  /** The largest deviation from the exact probability: the family's rounding step. */
  step: number
}

let families: Family[]

/** Without noise between call shapes, so that answers can be compared exactly. */
const quietLlamaCpp = (settings: Partial<LlamaCppSettings> = {}) => startLlamaCpp({ ...settings, noise: 0 })

async function family(name: string, double: AnyDouble, model: string, step: number): Promise<Family> {
  // All families get the same texts. `call-shapes.test.ts` compares states that are sent as objects.
  const engine = new SystemOneEngine({ url: double.url, model, tokenizer: null, apiKey: null, states: "text" })
  const { available, reason } = await engine.probe(never)
  expect(available, reason).toBe(true)
  return { name, double, engine, step }
}

beforeAll(async () => {
  families = await Promise.all([
    family("llama.cpp", await quietLlamaCpp(), "kev-4b", 1e-12),
    family("llama.cpp, 52 options", await quietLlamaCpp({ maxOptions: 52 }), "kev-4b", 1e-12),
    family(
      "llama.cpp, 26 options and a question at a time",
      await quietLlamaCpp({ maxOptions: 26, maxQuestions: 1 }),
      "kev-4b",
      1e-12,
    ),
    family("llama.cpp, all questions at once", await quietLlamaCpp({ kind: "nimble" }), "kev-4b", 1e-12),
    family("Ollama", await startOllama(), "nimble", 1e-12),
    family("SGLang", await startSglang(), "pplx-decider", 1e-12),
    family("SGLang, 26 labels", await startSglang({ maxOptions: 26 }), "pplx-decider", 1e-12),
    family("ollaya", await startOllaya(), "laya", 1e-4),
    family("TypeSafe", await startTypesafe(), "jev-latest", 1e-2),
  ])
})
afterAll(async () => {
  for (const { engine, double } of families) {
    await engine.close()
    await double.stop()
  }
})

type Answers = Record<string, { type: string; choice?: string; noul?: number; probabilities?: Record<string, number> }>

async function ask({ engine }: Family, request: CheckedRequest): Promise<{ json: string; answers: Answers }> {
  const json = renderAnswers(request, await engine.answer(request, never, places), "m", 0)
  return { json, answers: JSON.parse(json).answers }
}

const numbersOf = (answers: Answers): [string, number][] =>
  Object.entries(answers).flatMap(([name, { noul, probabilities }]) =>
    noul === undefined
      ? Object.entries(probabilities ?? {}).map(([option, p]): [string, number] => [`${name} ${option}`, p])
      : [[name, noul] as [string, number]],
  )

test.each(["/", "/api/version", "/api/tags", "/api/ps"])(
  "a 502 on Ollama's %s does not make it another engine",
  async (path) => {
    const ollama = families.find(({ name }) => name === "Ollama")
    if (!ollama) throw new Error("no Ollama")
    onTestFinished(() => {
      ollama.double.fault = null
    })
    ollama.double.fault = { kind: "route", path, status: 502 }
    const reason = `The engine cannot be identified now: GET ${path} failed (HTTP 502).`
    expect(await ollama.engine.probe(never)).toMatchObject({ available: false, reason })
  },
)

test("there are thirty requests", () => {
  expect(REQUESTS).toHaveLength(30)
})

describe("the same request gets the same answers from every family, in one shape", () => {
  test.each(REQUESTS.map((request, i) => [i + 1, request] as const))("request %i", async (_, request) => {
    const [first, ...others] = families
    if (!first) throw new Error("no families")
    const exact = await ask(first, request)
    const numbers = numbersOf(exact.answers)
    const raw = new Set([first.double.lastAnswer])
    for (const other of others) {
      const { json, answers } = await ask(other, request)
      numbersOf(answers).forEach(([name, p], i) => {
        expect(name).toBe(numbers[i]?.[0])
        expect(Math.abs(p - (numbers[i]?.[1] ?? -1)), `${other.name}: ${name}`).toBeLessThanOrEqual(other.step)
      })
      const names = (text: string) =>
        text.replace(/-?\d+(?:\.\d+)?(?:e-?\d+)?(?=[,}])/g, "0").replace(/"choice":"[^"]*",/g, "")
      expect(names(json), other.name).toBe(names(exact.json))
      if (other.step < 1e-9)
        for (const [name, answer] of Object.entries(answers)) expect(answer.choice).toBe(exact.answers[name]?.choice)
      raw.add(other.double.lastAnswer)
    }
    if (numbers.some(([, p]) => p < 1)) expect(raw.size).toBeGreaterThanOrEqual(5)
  })
})
