import { describe, expect, test } from "vitest"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { Answer } from "@/questions/question-schemas"
import { numbersOf, type RawAnswer, TYPE_NAMES, typeOf } from "@/questions/question-types"
import { startVllm } from "@/test/doubles/vllm"
import { exactAnswer, labelsOpener } from "@/test/open-labels"
import { TYPE_SAMPLES } from "@/test/type-samples"
import { answerAll } from "./lexical/answer-all"
import { promptQuestion } from "./own/decision-prompt"

const open = labelsOpener()
const STATE = "My parcel arrived broken."

describe.each(TYPE_NAMES)("a question of type %s", (name) => {
  const sample = TYPE_SAMPLES[name]
  const body = { model: "m", state: STATE, questions: { asked: sample.question } }
  const checked = checkRequest(new TextEncoder().encode(JSON.stringify(body)))
  if (!checked.ok) throw new Error(checked.message)
  const { request } = checked
  const [question] = request.questions
  if (!question) throw new Error("no question")
  const type = typeOf(question)

  function expectDescribed(answer: RawAnswer): void {
    const { answers } = JSON.parse(renderAnswers(request, [answer], "m", 0))
    expect(Answer.safeParse(answers.asked)).toMatchObject({ success: true })
  }

  test("is answered by the keyword scorer", async () => {
    const [answer] = await answerAll(request, () => {})
    if (!answer) throw new Error("no answer")
    expectDescribed(answer)
  })

  test("is shown to the models of the service's own engine, whose answer is read", () => {
    const traits = { ratings: null, isTrueFirst: false }
    const shown = promptQuestion(question, traits, (text) => text)
    expect(shown).toEqual({
      id: "asked",
      type: name,
      instructions: sample.question.instructions,
      options: sample.promptOptions,
    })
    const count = type.decision.labels?.count(traits) ?? shown.options.length
    const even = new Array<number>(count).fill(1 / count)
    expectDescribed(type.decision.labels?.toAnswer(even, traits) ?? type.toAnswer(even))
  })

  test("is answered by an ordinary model with the softmax over its labels", async () => {
    const { engine } = await open(startVllm())
    const [answer] = await engine.answer(request, new AbortController().signal)
    const labels = type.scale === "ordinal" ? [..."0123456789"] : [..."ABCDEFGHIJ"]
    const exact = numbersOf(type.toAnswer(exactAnswer(STATE, question, labels)))
    const found = answer ? numbersOf(answer) : []
    expect(found).toHaveLength(exact.length)
    for (const [i, p] of exact.entries()) expect(found[i]).toBeCloseTo(p, 12)
  })
})
