import { describe, expect, test } from "vitest"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { type CheckedQuestion, numbersOf, type RawAnswer, typeOf } from "@/questions/question-types"
import { jsonText } from "@/test/checked-request"
import { type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { REQUESTS } from "@/test/engine-requests"
import { ENGINE_SAMPLES } from "@/test/engine-samples"
import { printFigure } from "@/test/figures"
import { engineOpener } from "@/test/open-engine"
import { isPlainObject } from "./object-states"
import { requestBody } from "./request-body"
import { readReply } from "./response"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = engineOpener()
type Kind = LlamaCppSettings["kind"]

/** Returns an answer's numbers. Those of several outcomes are scaled to a sum of 1. */
const sharesOf = (answer: RawAnswer): number[] => {
  const numbers = numbersOf(answer)
  const sum = numbers.reduce((total, each) => total + each, 0)
  return numbers.length === 1 ? numbers : numbers.map((each) => each / sum)
}

/** Asks each question in a direct call of its own, without the service. */
async function directly(url: string, kind: Kind, { state, questions }: CheckedRequest): Promise<RawAnswer[]> {
  const isObject = (kind === "kev" || kind === "lev") && isPlainObject(state)
  const ask = async (question: CheckedQuestion): Promise<RawAnswer> => {
    const certain = typeOf(question).certainAnswer(question)
    if (certain) return certain
    const body = requestBody("kev-4b", { state: jsonText("s"), questions: [question] }, { isStrict: false })
    const sent = isObject ? state.json() : JSON.stringify(state.text())
    const withState = body
      .whole()
      .toString()
      .replace('"state":"s"', () => `"state":${sent}`)
    const response = await fetch(`${url}/v1/systemone`, { method: "POST", body: withState })
    const [answer] = readReply([question], await response.text()).answers
    if (!answer) throw new Error("no answer")
    return answer
  }
  return Promise.all(questions.map(ask))
}

const llamaCpp = (settings: Partial<LlamaCppSettings>) => () => startLlamaCpp(settings)
/** Each family and call shape, the kind that renders states like it, and the largest error that a probability may have. */
type Shape = [name: string, start: () => Promise<AnyDouble>, like: Kind, most: number, model?: string | null]
const SHAPES: Shape[] = [
  ["kev, 4 slots", llamaCpp({ kind: "kev" }), "kev", 5e-4],
  ["kev, 1 slot", llamaCpp({ kind: "kev", slots: 1 }), "kev", 5e-4],
  ["kev, 16 slots, hybrid", llamaCpp({ kind: "kev", slots: 16, isHybrid: true }), "kev", 5e-4],
  ["kev, 26 options and a question at a time", llamaCpp({ kind: "kev", maxOptions: 26, maxQuestions: 1 }), "kev", 5e-4],
  ["lev, 4 slots", llamaCpp({ kind: "lev" }), "lev", 5e-4],
  ["lev, hybrid", llamaCpp({ kind: "lev", isHybrid: true }), "lev", 5e-4],
  ["openjev, 52 options", llamaCpp({ kind: "openjev", maxOptions: 52 }), "openjev", 5e-4],
  ["openjev, the stricter server", llamaCpp({ kind: "openjev", isStrictVariant: true }), "openjev", 5e-4],
  ["nimble", llamaCpp({ kind: "nimble" }), "openjev", 5e-4],
  ...ENGINE_SAMPLES.filter(({ family }) => family !== "llama.cpp").map(
    ({ name, start, model, step }): Shape => [name, start, "openjev", step, model],
  ),
]

describe("thirty requests have the probabilities of direct calls with one question each, without noise", () => {
  test.each(SHAPES)("%s", async (name, start, kind, most, model = null) => {
    const exact = await startLlamaCpp({ kind, noise: 0 })
    const { engine } = await open(start(), { model })
    let largest = 0
    for (const request of REQUESTS) {
      const direct = await directly(exact.url, kind, request)
      const answers = await engine.answer(request, never, manyPlaces)
      expect(answers).toHaveLength(direct.length)
      answers.forEach((answer, i) => {
        const [ours, theirs] = [sharesOf(answer), sharesOf(direct[i] as RawAnswer)]
        expect(ours).toHaveLength(theirs.length)
        ours.forEach((p, at) => {
          largest = Math.max(largest, Math.abs(p - (theirs[at] ?? -1)))
        })
      })
    }
    await exact.stop()
    printFigure(`largest difference of a probability, ${name}`, largest)
    expect(largest).toBeLessThanOrEqual(most)
  })
})
