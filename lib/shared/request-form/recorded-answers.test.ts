import { expect, test } from "vitest"
import { EXAMPLES } from "./examples"
import { BUILT_IN_ANSWERS, recordedExample } from "./recorded-answers"

const ALIAS = "svc-decider-latest"

test("every question of an example has a recorded answer of its own type", () => {
  const shown = EXAMPLES.map((example) => {
    const recorded = recordedExample(ALIAS, example, BUILT_IN_ANSWERS)
    expect(recorded?.answers.map(({ name, type }) => [name, type])).toEqual(
      example.questions.map(({ name, type }) => [name, type]),
    )
    return example.id
  })
  expect(shown).toEqual(["support-ticket", "moderation", "sales-lead", "invoice", "agent-step"])
})

test("an example without a recording has no answers", () => {
  const [example] = EXAMPLES
  if (!example) throw new Error("There are no examples.")
  expect(recordedExample(ALIAS, example, { ...BUILT_IN_ANSWERS, bodies: {} })).toBe(null)
})
