import { describe, expect, test } from "vitest"
import { numbersOf, type RawAnswer, typeOf } from "@/questions/question-types"
import { startLlamaCppChat } from "@/test/doubles/llama-cpp-chat"
import { startSglangChat } from "@/test/doubles/sglang-chat"
import { toyIds } from "@/test/doubles/toy-chat-model"
import { startVllm } from "@/test/doubles/vllm"
import { REQUESTS } from "@/test/engine-requests"
import { printFigure } from "@/test/figures"
import { exactAnswer, labelsOpener } from "@/test/open-labels"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = labelsOpener()
const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const LETTERS = [...ALPHABET, ...ALPHABET.flatMap((a) => ALPHABET.map((b) => a + b))].filter(
  (name) => toyIds(name, true).length === 1,
)

interface Started {
  url: string
  stop(): Promise<void>
}

/** Each engine with the largest error that a probability may have. llama.cpp computes in single precision. */
const ENGINES: [name: string, start: () => Promise<Started>, most: number][] = [
  ["vLLM", () => startVllm(), 1e-12],
  ["SGLang", () => startSglangChat(), 1e-12],
  ["llama.cpp", () => startLlamaCppChat(), 2e-5],
]
const cases = ENGINES.flatMap(([name, start, most]) =>
  [false, true].map((isBothOrders) => ({ name, start, most, isBothOrders })),
)

describe("thirty requests have the probabilities of the softmax over the labels", () => {
  test.each(cases)("$name, both orders $isBothOrders", async ({ name, start, most, isBothOrders }) => {
    const { engine } = await open(start(), { promptTemplate: isBothOrders ? "labels-1-both-orders" : "labels-1" })
    let largest = 0
    for (const request of REQUESTS) {
      const answers = await engine.answer(request, never, manyPlaces)
      expect(answers).toHaveLength(request.questions.length)
      request.questions.forEach((question, i) => {
        if (typeOf(question).certainAnswer(question)) return
        const labels = question.type === "score" ? [..."0123456789"] : LETTERS
        const isReversed = isBothOrders && question.type !== "score"
        const exact = exactAnswer(request.state.text(), question, labels, isReversed)
        for (const [at, p] of numbersOf(answers[i] as RawAnswer).entries())
          largest = Math.max(largest, Math.abs(p - (exact[at] ?? -1)))
      })
    }
    printFigure(`largest difference of a probability, labels on ${name}, both orders ${isBothOrders}`, largest)
    expect(largest).toBeLessThanOrEqual(most)
  })
})
