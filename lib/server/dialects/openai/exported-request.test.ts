import { expect, test } from "vitest"
import { checkBody, checkRequest } from "@/lib/shared/decisions/check-request"
import { openAiParts } from "@/lib/shared/export-code/openai-request"
import { readParts } from "@/lib/shared/export-code/request-parts"
import { readOpenAi } from "./read-body"

/** Returns what the service reads of a request, and of its export for OpenAI's clients. */
function bothOf(state: unknown, questions: object) {
  const text = JSON.stringify({ model: "m", state, questions }, null, 2)
  const parts = readParts(text)
  if (!parts) throw new Error("the request is invalid")
  const own = checkRequest(Buffer.from(text))
  const exported = checkBody(Buffer.from(openAiParts(parts).requestText), readOpenAi)
  if (!own.ok || !exported.ok) throw new Error(exported.ok ? "" : exported.message)
  return { own: own.request, exported: exported.request }
}

test.each([
  ["a text", 'It\'s "late"\n\\'],
  ["an object", { message: "é", list: [1.5, null] }],
  ["a list", [{ a: 1 }, "b"]],
])("%s as the state is what the contract reads", (_what, state) => {
  const { own, exported } = bothOf(state, { q: { type: "noul", instructions: "Is it?" } })
  expect(exported.state.json()).toBe(own.state.json())
})

test("questions of texts are those of the contract", () => {
  const { own, exported } = bothOf("s", {
    yes: { type: "noul", instructions: 'Is it "so"?' },
    team: { type: "choice", instructions: "Which?", criteria: { a: "First", "b'\"": null } },
    anger: { type: "score", instructions: "How?", criteria: ["calm", "angry: very"] },
    parts: { type: "noul", instructions: { ask: "Is it?", about: ["x"] } },
  })
  expect(exported.questions).toEqual(own.questions)
})

test("what OpenAI's form has no fields for is part of a text", () => {
  const { exported } = bothOf("s", {
    criteria: { type: "noul", instructions: "Is it?", criteria: { true: "Yes.", false: { if: "no" } } },
    none: { type: "noul", criteria: { true: "Yes.", false: null } },
    list: { type: "noul", instructions: ["Is it?"], criteria: { true: null, false: "No." } },
    options: { type: "choice", criteria: { a: { means: "b" } } },
    levels: { type: "score", instructions: null, criteria: [{ is: "low" }, ["high"]] },
  })
  const [criteria, none, list, options, levels] = exported.questions
  expect(criteria?.instructions?.text()).toBe('Is it?\n\nIf true: Yes.\nIf false: {"if":"no"}')
  expect(none?.instructions?.text()).toBe("If true: Yes.")
  expect(list?.instructions?.text()).toBe('[["Is it?"],"If false: No."]')
  expect(options?.type === "choice" && options.options[0]?.description?.text()).toBe('{"means":"b"}')
  expect(levels?.type === "score" && levels.levels.map((level) => level.text())).toEqual(['{"is":"low"}', '["high"]'])
})
