import { describe, expect, test } from "vitest"
import { numbersOf, type RawAnswer, typeOf } from "@/questions/question-types"
import { REQUESTS } from "@/test/engine-requests"
import { LABEL_SAMPLES } from "@/test/engine-samples"
import { printFigure } from "@/test/figures"
import { exactAnswer, LABELS, labelsOpener } from "@/test/open-labels"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = labelsOpener()

const cases = LABEL_SAMPLES.flatMap((sample) => [false, true].map((isBothOrders) => ({ ...sample, isBothOrders })))

describe("thirty requests have the probabilities of the softmax over the labels", () => {
  test.each(cases)("$family, both orders $isBothOrders", async ({ family, start, tolerance, isBothOrders }) => {
    const { engine } = await open(start(), { promptTemplate: isBothOrders ? "labels-1-both-orders" : "labels-1" })
    let largest = 0
    for (const request of REQUESTS) {
      const answers = await engine.answer(request, never, manyPlaces)
      expect(answers).toHaveLength(request.questions.length)
      request.questions.forEach((question, i) => {
        if (typeOf(question).certainAnswer(question)) return
        const labels = question.type === "score" ? [..."0123456789"] : LABELS
        const isReversed = isBothOrders && question.type !== "score"
        const exact = exactAnswer(request.state.text(), question, labels, isReversed)
        for (const [at, p] of numbersOf(answers[i] as RawAnswer).entries())
          largest = Math.max(largest, Math.abs(p - (exact[at] ?? -1)))
      })
    }
    printFigure(`largest difference of a probability, labels on ${family}, both orders ${isBothOrders}`, largest)
    expect(largest).toBeLessThanOrEqual(tolerance)
  })
})
