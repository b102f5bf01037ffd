import { describe, expect, test } from "vitest"
import { checkedRequest, choice, noul } from "@/test/checked-request"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { startOllaya } from "@/test/doubles/ollaya"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { engineOpener } from "@/test/open-engine"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const options = (count: number) => Array.from({ length: count }, (_, i) => `option ${i}`)
const nouls = (count: number) => Array.from({ length: count }, (_, i) => noul(`q${i}`, `Is it ${i}?`))
const open = engineOpener()

describe("questions", () => {
  test("share calls of as many as the engine has slots, when it reads each apart", async () => {
    const { engine, calls } = await open(startLlamaCpp())
    await engine.answer(checkedRequest("s", ...nouls(16)), never, manyPlaces)
    expect(calls().map((call) => call.length)).toEqual([4, 4, 4, 4])
  })

  test("are asked one by one on an engine that reads a call's questions together or accepts one", async () => {
    const starts: (() => Promise<AnyDouble>)[] = [
      () => startLlamaCpp({ kind: "nimble" }),
      () => startLlamaCpp({ maxQuestions: 1 }),
      startOllama,
    ]
    for (const start of starts) {
      const { engine, calls } = await open(start())
      await engine.answer(checkedRequest("s", ...nouls(5)), never, manyPlaces)
      expect(calls().map((call) => call.length)).toEqual([1, 1, 1, 1, 1])
    }
  })

  test("of a long state wait for the first call, so that an engine reads it once", async () => {
    const { engine, calls, double } = await open(startLlamaCpp())
    double.prompts.computed = 0
    double.prompts.unique = 0
    double.fault = { kind: "slow", ms: 20 }
    await engine.answer(checkedRequest("word ".repeat(2_000), ...nouls(16)), never, manyPlaces)
    expect(calls().map((call) => call.length)).toEqual([4, 4, 4, 4])
    expect(double.prompts.computed / double.prompts.unique).toBeLessThanOrEqual(1.1)
  })

  test("that exceed an engine's limit are asked in smaller calls, and the limit is remembered", async () => {
    const { engine, calls, double } = await open(startLlamaCpp())
    double.settings.maxQuestions = 3
    const request = checkedRequest("s", ...nouls(4))
    expect(await engine.answer(request, never, manyPlaces)).toHaveLength(4)
    expect(calls().map((call) => call.length)).toEqual([4, 1, 1, 1, 1])
    await engine.answer(request, never, manyPlaces)
    const sizes = calls().map((call) => call.length)
    expect(sizes.slice(5).toSorted()).toEqual([1, 3])
  })

  test("that are too large together are asked one by one before they are refused", async () => {
    const { engine, calls, double } = await open(startLlamaCpp())
    double.fault = { kind: "status", status: 413 }
    await expect(engine.answer(checkedRequest("s", ...nouls(3)), never)).rejects.toMatchObject({
      code: "invalid_request",
      param: undefined,
    })
    expect(calls().map((call) => call.length)).toEqual([3, 1])
  })
})

describe("options", () => {
  test("255 options and 16 questions work on an engine that accepts 26 options and one question", async () => {
    const { engine, calls } = await open(startLlamaCpp({ maxOptions: 26, maxQuestions: 1 }))
    const request = checkedRequest("s", choice("many", "Which?", options(255)), ...nouls(15))
    const answers = await engine.answer(request, never, manyPlaces)
    expect(answers).toHaveLength(16)
    const sizes = calls().map((call) => call.map(({ name, options: count }) => (name === "many" ? count : 1)))
    // One refusal that states the limit, ten groups, the final of twenty, and fifteen questions.
    expect(
      sizes
        .flat()
        .filter((count) => count > 1)
        .toSorted((a, b) => a - b),
    ).toEqual([20, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 255])
    expect(sizes).toHaveLength(27)
    await engine.answer(request, never, manyPlaces)
    expect(calls()).toHaveLength(27 + 26)
  })

  test("options that do not fit in the engine's batch are asked in groups, and those of other questions are not", async () => {
    const { engine, calls } = await open(startLlamaCpp({ slots: 8, contextTokens: 20_000, batchTokens: 1_000 }))
    const options = (count: number) =>
      Array.from({ length: count }, (_, i): [string, string] => [`o${i}`, `${i} ${"word ".repeat(12)}`])
    const request = checkedRequest("s", choice("small", "Which?", options(40)), choice("large", "Which?", options(100)))
    const answers = await engine.answer(request, never)
    expect(calls()).toEqual([
      [
        { name: "small", options: 40 },
        { name: "large", options: 100 },
      ],
      [{ name: "small", options: 40 }],
      [{ name: "large", options: 100 }],
      [{ name: "large", options: 50 }],
      [{ name: "large", options: 50 }],
      [{ name: "large", options: 50 }],
    ])
    const { engine: roomy } = await open(startLlamaCpp({ slots: 8, contextTokens: 20_000, noise: 0 }))
    const exact = await roomy.answer(request, never)
    answers.forEach((answer, at) => {
      const [ours, theirs] = [answer, exact[at]].map((one) => (one?.type === "choice" ? one.probabilities : []))
      for (const [i, p] of (ours ?? []).entries()) expect(Math.abs(p - (theirs?.[i] ?? -1))).toBeLessThan(5e-4)
    })
  })

  test("a limit without a number is found by halving, for that request only", async () => {
    const { engine, calls } = await open(startOllaya({ maxOptions: 10 }))
    const request = checkedRequest("s", choice("many", "Which?", options(20)))
    const [answer] = await engine.answer(request, never, manyPlaces)
    expect(answer).toMatchObject({ type: "choice", probabilities: expect.arrayContaining([expect.any(Number)]) })
    expect(calls().map((call) => call[0]?.options)).toEqual([20, 10, 10, 10])
    expect(calls()).toHaveLength(4)
  })
})

describe("the calls of a request", () => {
  test("are made one at a time when no place is free", async () => {
    const { engine, double } = await open(startOllama())
    double.mostWorking = 0
    double.fault = { kind: "slow", ms: 10 }
    await engine.answer(checkedRequest("s", ...nouls(5)), never)
    expect(double.mostWorking).toBe(1)
  })

  test("take free places and free each once", async () => {
    const { engine, double } = await open(startOllama())
    double.mostWorking = 0
    double.fault = { kind: "slow", ms: 20 }
    let [free, taken, returned] = [2, 0, 0]
    const take = () => {
      if (free === 0) return null
      free--
      taken++
      return () => {
        free++
        returned++
      }
    }
    await engine.answer(checkedRequest("s", ...nouls(9)), never, take)
    expect(double.mostWorking).toBe(3)
    expect(taken).toBeGreaterThanOrEqual(4)
    expect(returned).toBe(taken)
  })

  test("are aborted when one of them fails", async () => {
    const { engine, double } = await open(startOllama({ contextTokens: 200 }))
    double.fault = { kind: "slow", ms: 5_000 }
    const tooLong = noul("q0", "word ".repeat(300))
    const answer = engine.answer(
      checkedRequest("s", noul("a", "Is it?"), tooLong, noul("b", "Is it?")),
      never,
      manyPlaces,
    )
    await expect(answer).rejects.toMatchObject({ code: "invalid_request" })
    await expect.poll(() => double.aborted).toBe(2)
  })
})
