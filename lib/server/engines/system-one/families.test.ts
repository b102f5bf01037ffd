import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { AnyDouble, EngineSample } from "@/test/doubles/system-one-double"
import { REQUESTS } from "@/test/engine-requests"
import { ENGINE_SAMPLES } from "@/test/engine-samples"
import { FAMILIES } from "./families"
import { SystemOneEngine } from "./system-one-engine"

const never = new AbortController().signal
const places = () => () => {}
interface Started extends EngineSample {
  double: AnyDouble
  engine: SystemOneEngine
}

let started: Started[]

async function start(sample: EngineSample): Promise<Started> {
  const double = await sample.start()
  // All families get the same texts. `call-shapes.test.ts` compares states that are sent as objects.
  const engine = new SystemOneEngine({
    url: double.url,
    model: sample.model,
    tokenizer: null,
    apiKey: null,
    states: "text",
  })
  const { available, reason, findings } = await engine.probe(never)
  expect(available, reason).toBe(true)
  expect(findings?.find(({ name }) => name === "engine")?.value).toBe(sample.family)
  return { ...sample, double, engine }
}

beforeAll(async () => {
  started = await Promise.all(ENGINE_SAMPLES.map(start))
})
afterAll(async () => {
  for (const { engine, double } of started) {
    await engine.close()
    await double.stop()
  }
})

type Answers = Record<string, { type: string; choice?: string; noul?: number; probabilities?: Record<string, number> }>

async function ask({ engine }: Started, request: CheckedRequest): Promise<{ json: string; answers: Answers }> {
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
    const ollama = started.find(({ name }) => name === "Ollama")
    if (!ollama) throw new Error("no Ollama")
    onTestFinished(() => {
      ollama.double.fault = null
    })
    ollama.double.fault = { kind: "route", path, status: 502 }
    const reason = `The engine cannot be identified now: GET ${path} failed (HTTP 502).`
    expect(await ollama.engine.probe(never)).toMatchObject({ available: false, reason })
  },
)

test("every family has a double, which is recognised as that family", () => {
  const recognised = new Set(started.map(({ family }) => family))
  expect(FAMILIES.map(({ name }) => name).filter((name) => !recognised.has(name))).toEqual([])
})

test("there are thirty requests", () => {
  expect(REQUESTS).toHaveLength(30)
})

describe("the same request gets the same answers from every family, in one shape", () => {
  test.each(REQUESTS.map((request, i) => [i + 1, request] as const))("request %i", async (_, request) => {
    const [first, ...others] = started.toSorted(
      (a, b) => Number(b.name === "llama.cpp") - Number(a.name === "llama.cpp"),
    )
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
