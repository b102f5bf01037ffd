import { expect, test } from "vitest"
import { LexicalEngine } from "@/lib/server/engines/lexical/lexical-engine"
import { totalTokens } from "@/lib/server/engines/token-count"
import { renderAnswers } from "@/lib/shared/decisions/answers"
import { EXAMPLE_ANSWER, EXAMPLE_CHECKED } from "./example-answer"

test("the example answer is the one that the named engine returns", async () => {
  const engine = new LexicalEngine()
  const answers = await engine.answer(EXAMPLE_CHECKED, new AbortController().signal)
  const tokens = totalTokens(engine.countTokens(EXAMPLE_CHECKED))
  const body = renderAnswers(EXAMPLE_CHECKED, answers, "svc-lexical-baseline-1", tokens)
  expect(JSON.parse(body)).toEqual(EXAMPLE_ANSWER)
})
