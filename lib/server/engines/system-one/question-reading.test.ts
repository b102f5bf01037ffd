import { describe, expect, test } from "vitest"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { startAlmostCertain } from "@/test/doubles/almost-certain"
import { type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { engineOpener } from "@/test/open-engine"
import { type AskQuestions, findReading } from "./question-reading"
import type { Reply } from "./response"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = engineOpener()
const nouls = (count: number) => Array.from({ length: count }, (_, i) => noul(`q${i}`, `Is it ${i}?`))

async function callSizes(settings: Partial<LlamaCppSettings>): Promise<number[]> {
  const { engine, calls } = await open(startLlamaCpp({ slots: 8, ...settings }))
  await engine.answer(checkedRequest("s", ...nouls(8)), never, manyPlaces)
  return calls().map((call) => call.length)
}

describe("how an engine reads several questions", () => {
  test.each(["kev", "lev", "openjev"] as const)(
    "%s reads each apart, although its numbers differ by 1e-3 between call shapes",
    async (kind) => {
      expect(await callSizes({ kind, noise: 1e-3 })).toEqual([8])
    },
  )

  test.each(["nimble", "clef"] as const)("%s reads them together", async (kind) => {
    expect(await callSizes({ kind })).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  test("a server that counts the shared part of the prompts once still reads apart", async () => {
    expect(await callSizes({ kind: "openjev", noise: 1e-3, isStrictVariant: true })).toEqual([8])
    expect(await callSizes({ kind: "clef", isStrictVariant: true })).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  test.each(["clef", "nimble"] as const)(
    "%s reads them together, also when it is almost certain of every answer",
    async (kind) => {
      const { engine, double, calls } = await open(startAlmostCertain({ kind, slots: 8 }))
      expect(double.fault).not.toBeNull()
      await engine.answer(checkedRequest("s", ...nouls(2)), never, manyPlaces)
      expect(calls().map((call) => call.length)).toEqual([1, 1])
    },
  )

  test("is unclear when every answer is the same: each question gets its own call", async () => {
    const { engine, calls } = await open(startAlmostCertain({ kind: "openjev", slots: 8, isStrictVariant: true }, 0))
    await engine.answer(checkedRequest("s", ...nouls(2)), never, manyPlaces)
    expect(calls().map((call) => call.length)).toEqual([1, 1])
  })

  test("Ollama gets one question per call", async () => {
    const { engine, calls } = await open(startOllama())
    await engine.answer(checkedRequest("s", ...nouls(3)), never, manyPlaces)
    expect(calls().map((call) => call.length)).toEqual([1, 1, 1])
  })

  test("is asked again by the next probe when the engine did not answer", async () => {
    const { engine, double, calls } = await open(startLlamaCpp({ maxQuestions: 1 }))
    double.settings.maxQuestions = 100
    const ask = () => engine.answer(checkedRequest("s", ...nouls(4)), never, manyPlaces)
    await ask()
    await engine.probe(never)
    const before = calls().length
    await ask()
    expect(
      calls()
        .slice(before)
        .map((call) => call.length),
    ).toEqual([4])
  })
})

describe("the token counts of two questions, alone and together, decide", () => {
  const reply = (inputTokens: number | null, ...yes: number[]): Reply => ({
    answers: yes.map((p) => ({ type: "noul", yes: p })),
    labels: [],
    model: null,
    inputTokens,
  })
  /** Asks an engine with these answers: of two questions alone, of both together, and of the control. */
  const apart = async (one: Reply, other: Reply, both: Reply, control: number) => {
    const ask: AskQuestions = async ([first, second], state) => {
      if (state) return reply(70, control)
      if (second) return second.type === "choice" ? both : reply(80, 0.5, 0.5)
      return first?.type === "choice" ? other : one
    }
    return (await findReading(ask))?.readsApart
  }

  test.each<[string, [number | null, number | null, number | null], number, number, boolean]>([
    ["the sum: kev", [15, 21, 36], 0.9, 0.5, true],
    ["the sum: lev", [94, 100, 194], 0.9, 0.5, true],
    ["more than the sum: nimble", [50, 62, 132], 0.5, 0.6, false],
    ["fewer, with other answers: clef", [50, 62, 90], 0.52, 0.6, false],
    ["fewer, with the same answers: a shared part counted once", [50, 62, 90], 0.509, 0.6, true],
    ["fewer, and the control has the same answer too", [50, 62, 90], 0.509, 0.509, false],
    ["no count, with answers within 0.01", [null, null, null], 0.509, 0.6, true],
    ["no count, with other answers", [null, null, null], 0.52, 0.6, false],
    ["one count missing", [50, null, 112], 0.52, 0.6, false],
  ])("%s", async (_, [one, other, both], together, control, isApart) => {
    expect(await apart(reply(one, 0.5), reply(other, 0.5), reply(both, 0.5, together), control)).toBe(isApart)
  })

  test("answers that are almost certain are compared by their odds", async () => {
    const both = reply(90, 0.9999, 0.9995)
    expect(await apart(reply(50, 0.9999), reply(62, 0.9997), both, 0.5)).toBe(false)
  })
})

test("a choice that is read in both orders counts as two prompts", async () => {
  const { engine, calls } = await open(startLlamaCpp({ kind: "lev", slots: 4 }))
  const choices = Array.from({ length: 4 }, (_, i) => choice(`c${i}`, "Which?", ["a", "b"]))
  await engine.answer(checkedRequest("s", ...nouls(4), ...choices), never)
  expect(calls().map((call) => call.map(({ name }) => name))).toEqual([
    ["c0", "c1", "c2", "c3"],
    ["q0", "q1", "q2", "q3"],
  ])
})
