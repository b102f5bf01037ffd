import { expect, test } from "vitest"
import { describeExcess, excessOf, runCost, type TokenCount } from "./run-cost"

const COUNT: TokenCount = {
  model: "svc-decider-4b-v1-1-api-1",
  price: "0.020000",
  input_tokens: 312,
  parts: { state: 200, questions: JSON.parse('{"2": 12, "__proto__": 100}') },
  max_question_tokens: 16_384,
  largest_question_tokens: 340,
  cost_usd: "0.000006240000",
}

test("a run has a cost per part and per thousand runs, and the balance pays for so many runs", () => {
  expect(runCost(COUNT, ["__proto__", "2"], "0.500000000000")).toEqual({
    model: "svc-decider-4b-v1-1-api-1",
    tokens: 312,
    stateTokens: 200,
    stateUsd: "0.000004000000",
    questions: [
      { name: "__proto__", tokens: 100, costUsd: "0.000002000000" },
      { name: "2", tokens: 12, costUsd: "0.000000240000" },
    ],
    priceUsd: "0.020000",
    costUsd: "0.000006240000",
    per1000Usd: "0.006240000000",
    runsLeft: "80,128",
    input: { tokens: 340, limit: 16_384 },
  })
})

test("a free model has unlimited runs, and a negative balance pays for none", () => {
  expect(runCost({ ...COUNT, price: "0.000000", cost_usd: "0.000000000000" }, [], "1.00").runsLeft).toBeNull()
  expect(runCost(COUNT, [], "-0.000001000000").runsLeft).toBe("0")
})

test("a request that is too long says by how much, and which text to shorten", () => {
  const excess = (state: number, question: number) => {
    const parts = { state, questions: { team: question, other: 1 } }
    const count = { ...COUNT, parts, max_question_tokens: 1_000, largest_question_tokens: state + question + 34 }
    const found = excessOf(runCost(count, ["other", "team"], "1"))
    return found && describeExcess(found)
  }
  expect(excess(900, 66)).toBeNull()
  expect(excess(901, 66)).toBe(
    "The input is 1 token over this model's input limit of 1,000. Shorten the state, which has 901 tokens.",
  )
  expect(excess(2_000, 66)).toBe(
    "The input is 1,100 tokens over this model's input limit of 1,000. Shorten the state, which has 2,000 tokens.",
  )
  expect(excess(66, 2_000)).toBe(
    "The input is 1,100 tokens over this model's input limit of 1,000. Shorten the question “team”, which has 2,000 tokens.",
  )
})
