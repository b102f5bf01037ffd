import { expect, test } from "vitest"
import { LexicalEngine } from "@/lib/server/engines/lexical/lexical-engine"
import { totalTokens } from "@/lib/server/engines/token-count"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { EXAMPLES, exampleForm } from "@/lib/shared/request-form/examples"
import { BUILT_IN_ANSWERS } from "@/lib/shared/request-form/recorded-answers"
import { EXAMPLE_ANSWER, EXAMPLE_CHECKED } from "./example-answer"

const MODEL = "svc-lexical-baseline-1"

/** Returns the body that the built-in engine's answer has in a 200. */
async function answer(request: CheckedRequest): Promise<unknown> {
  const engine = new LexicalEngine()
  const answers = await engine.answer(request, new AbortController().signal)
  return JSON.parse(renderAnswers(request, answers, MODEL, totalTokens(engine.countTokens(request))))
}

test("the example answer is the one that the named engine returns", async () => {
  expect(await answer(EXAMPLE_CHECKED)).toEqual(EXAMPLE_ANSWER)
})

test("the recorded answers of the examples are those that the named engine returns", async () => {
  const bodies = EXAMPLES.map(async (example) => {
    const checked = checkForm(exampleForm("svc-decider-latest", example))
    if (!checked.ok) throw new Error(checked.errors[0].message)
    return [example.id, await answer(checked.request)]
  })
  expect(BUILT_IN_ANSWERS).toEqual({
    model: MODEL,
    day: "2026-11-28",
    bodies: Object.fromEntries(await Promise.all(bodies)),
  })
})
