import { expect, test } from "vitest"
import { checkBody, checkRequest } from "@/lib/shared/decisions/check-request"
import { readOpenAi } from "./read-body"

const read = (input: unknown, questions: unknown[] = [{ type: "predicate", instructions: "Refund?" }]) => {
  const result = checkBody(Buffer.from(JSON.stringify({ model: "m", input, questions })), readOpenAi)
  if (!result.ok) throw new Error(`${result.param}: ${result.message}`)
  return result.request
}

const CALL = { type: "function_call", call_id: "1", name: "find_order", arguments: '{"id":7}' }

test.each([
  ["a text", "Refund me.", '"Refund me."'],
  ["an empty text", "", '""'],
  ["the only message of a user", [{ role: "user", content: "é\n" }], '"é\\n"'],
  ["its only part", [{ role: "user", type: "message", content: [{ type: "input_text", text: "a" }] }], '"a"'],
  [
    "its texts and data, in order",
    [
      {
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_json", data: { b: [1.5, { c: null }] } },
        ],
      },
    ],
    '["a",{"b":[1.5,{"c":null}]}]',
  ],
  ["a system's message", [{ role: "system", content: "a" }], '[{"role":"system","text":"a"}]'],
  [
    "a conversation with calls of tools",
    [
      { role: "user", content: "Where is it?" },
      CALL,
      { type: "function_call_output", call_id: "1", output: "Lost" },
      { type: "custom_tool_call", call_id: "2", name: "note", input: "lost" },
      { type: "custom_tool_call_output", call_id: "2", output: [{ type: "input_text", text: "ok" }] },
      { role: "assistant", phase: "final_answer", content: [{ type: "output_text", text: "It is lost." }] },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    ],
    JSON.stringify([
      { role: "user", text: "Where is it?" },
      { role: "assistant", call: "find_order", text: '{"id":7}' },
      { role: "tool", call: "find_order", text: "Lost" },
      { role: "assistant", call: "note", text: "lost" },
      { role: "tool", call: "note", text: "ok" },
      { role: "assistant", text: "It is lost." },
      { role: "assistant", text: "No." },
    ]),
  ],
])("the state is %s", (_what, input, state) => {
  expect(read(input).state.json()).toBe(state)
})

const contract = (questions: object) => {
  const result = checkRequest(Buffer.from(JSON.stringify({ model: "m", state: "s", questions })))
  if (!result.ok) throw new Error(result.message)
  return result.request.questions
}

test("questions are those of the contract", () => {
  const choices = [{ value: "a", description: "first" }, { value: true }]
  const levels = [{ label: "low" }, { label: "high", description: "now" }]
  const { questions } = read("s", [
    { type: "predicate", name: "p", instructions: "Is it?" },
    { type: "choice", name: "c", instructions: [{ type: "input_text", text: "Which?" }], choices },
    { type: "score", name: "s", instructions: "How?", levels },
  ])
  expect(questions).toEqual(
    contract({
      p: { type: "noul", instructions: "Is it?" },
      c: { type: "choice", instructions: "Which?", criteria: { a: "first", true: null } },
      s: { type: "score", instructions: "How?", criteria: ["low", "high: now"] },
    }),
  )
})

test("engines get own ids of choices where a boolean stands beside its text, with the values in their descriptions", () => {
  const choices = [{ value: "true", description: "as text" }, { value: true }]
  const { questions } = read("s", [{ type: "choice", name: "c", instructions: "Is it?", choices }])
  const criteria = { c1: { value: "true", description: "as text" }, c2: { value: true } }
  expect(questions).toEqual(contract({ c: { type: "choice", instructions: "Is it?", criteria } }))
})

test.each([
  ["unnamed", [undefined, "b"]],
  ["null", [null, "b"]],
  ["repeated", ["a", "a"]],
  ["with a space", ["a b", "c"]],
])("engines get own names where one is %s", (_what, names) => {
  const { questions } = read(
    "s",
    names.map((name) => ({ type: "predicate", name, instructions: "Is it?" })),
  )
  expect(questions.map(({ name }) => name)).toEqual(["q1", "q2"])
})

test("an answer that does not fit its question is an error of the engine", () => {
  const request = read("s")
  const facts = { requestId: "req_1", provider: "p", modelId: "m", inputTokens: 1, costPico: 0n as never }
  for (const answers of [
    [],
    [{ type: "noul" as const, yes: Number.NaN }],
    [{ type: "choice" as const, probabilities: [1] }],
  ])
    expect(() => request.form?.writeBody(request, answers, facts)).toThrowError(
      "The model returned an invalid response.",
    )
})
