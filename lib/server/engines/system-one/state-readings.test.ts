import { describe, expect, test } from "vitest"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkedRequest, choice, noul, score } from "@/test/checked-request"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { printFigure } from "@/test/figures"
import { engineOpener } from "@/test/open-engine"
import { requestBody } from "./request-body"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = engineOpener()

const LONG_STATE = Array.from({ length: 3_900 }, (_, i) => `w${i % 10}`).join(" ")
/** Types alternate, so that calls have both questions that are read once and questions that are read twice. */
const QUESTIONS = Array.from({ length: 16 }, (_, i) => {
  if (i % 4 === 0) return choice(`q${i}`, `Which is ${i}?`, ["shipping", "billing", "other"])
  return i % 4 === 1 ? score(`q${i}`, `How much is ${i}?`, ["low", "high"]) : noul(`q${i}`, `Is it ${i}?`)
})

const requestOf = (questions: number): CheckedRequest => checkedRequest(LONG_STATE, ...QUESTIONS.slice(0, questions))

/** Runs `work` and returns the prompt tokens that the engine computed for it, and what a perfect cache would compute. */
async function tokensFor({ prompts }: LlamaCppDouble, work: () => Promise<unknown>) {
  const before = { computed: prompts.computed, unique: prompts.unique }
  await work()
  return { computed: prompts.computed - before.computed, unique: prompts.unique - before.unique }
}

async function directly(settings: Partial<LlamaCppSettings>, request: CheckedRequest) {
  const { double } = await open(startLlamaCpp(settings))
  const body = new Uint8Array(requestBody("kev-4b", request, { isStrict: false }).whole())
  return tokensFor(double, async () => {
    const response = await fetch(`${double.url}/v1/systemone`, { method: "POST", body })
    expect(response.status).toBe(200)
    await response.text()
  })
}

async function throughTheService(settings: Partial<LlamaCppSettings>, request: CheckedRequest) {
  const { double, engine } = await open(startLlamaCpp(settings))
  return tokensFor(double, () => engine.answer(request, never, manyPlaces))
}

describe("an engine that reads questions apart computes at most 1.05 times the tokens of one direct call", () => {
  const cases = (["kev", "lev", "openjev"] as const).flatMap((kind) =>
    [true, false].flatMap((isHybrid) => [3, 4, 5].map((slots) => ({ kind, isHybrid, slots }))),
  )
  test.each(cases)("$kind, hybrid $isHybrid, $slots slots", async (settings) => {
    for (const questions of [1, 3, 4, 16]) {
      const direct = await directly(settings, requestOf(questions))
      const service = await throughTheService(settings, requestOf(questions))
      printFigure(
        `${JSON.stringify(settings)}, ${questions} questions: computed ÷ unique, computed ÷ one direct call`,
        [service.computed / service.unique, service.computed / direct.computed],
      )
      expect(service.computed / direct.computed, `${questions} questions`).toBeLessThanOrEqual(1.05)
    }
  })
})

describe("of a long state, an engine with 4 slots computes", () => {
  test.each([
    [1, true, 1],
    [4, true, 1],
    [16, true, 3.9],
    [1, false, 1],
    [4, false, 1],
    [16, false, 1],
  ])("for %i questions, hybrid %s, %f times the unique tokens", async (questions, isHybrid, most) => {
    const request = requestOf(questions)
    const { computed, unique } = await throughTheService({ kind: "kev", slots: 4, isHybrid }, request)
    expect(computed / unique).toBeLessThanOrEqual(most * 1.02)
    expect(computed / unique).toBeGreaterThanOrEqual(most * 0.95)
  })
})
