import { describe, expect, it } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setLimits } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const PATH = "/openai/v1/decisions"
const PREDICATE = { type: "predicate", instructions: "The customer asks for a refund." }
const REQUEST = { model: "gpt-6-luna", input: "I was charged twice. Refund me.", questions: [PREDICATE] }

const service = await testService()

const post = (token: string, body: unknown) =>
  fetch(service.url + PATH, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })

const IMAGE = { type: "input_image", image_url: "data:image/png;base64,AA==" }
const NO_FILES = "This service takes neither images nor files. Send the text that they show."
const asks = (question: object) => ({ ...REQUEST, questions: [{ instructions: "Is it?", ...question }] })
const says = (...content: object[]) => ({ ...REQUEST, input: [{ role: "user", content }] })

describe("POST /openai/v1/decisions", () => {
  it.each([
    ["an image in a message", says(IMAGE), "input", NO_FILES],
    ["a file in a message", says({ type: "input_file", file_id: "f" }), "input", NO_FILES],
    ["an image as an item", { ...REQUEST, input: [IMAGE] }, "input", NO_FILES],
    [
      "an image in an output",
      {
        ...REQUEST,
        input: [
          { type: "function_call", call_id: "1", name: "f", arguments: "" },
          { type: "function_call_output", call_id: "1", output: [IMAGE] },
        ],
      },
      "input",
      NO_FILES,
    ],
    [
      "an image in instructions",
      asks({ type: "predicate", instructions: [IMAGE] }),
      "questions.0.instructions",
      NO_FILES,
    ],
    ["an unknown part", says({ type: "html", text: "" }), "input.0.content.0.type", expect.any(String)],
    [
      "an output without its call",
      { ...REQUEST, input: [{ type: "function_call_output", call_id: "1", output: "" }] },
      "input.0.call_id",
      "No call before this output has this id.",
    ],
    ["an unknown role", { ...REQUEST, input: [{ role: "tool", content: "" }] }, "input.0.role", expect.any(String)],
    ["a number as the input", { ...REQUEST, input: 1 }, "input", "The input must be a string or a list."],
    [
      "a list of 301 items",
      { ...REQUEST, input: Array(301).fill({ role: "user", content: "" }) },
      "input",
      expect.any(String),
    ],
    [
      "messages of more than 2 MiB",
      says({ type: "input_text", text: "x".repeat(2 * 1024 * 1024) }),
      "input",
      "This list has more than 2 MiB.",
    ],
    [
      "questions of more than 2 MiB",
      asks({ type: "predicate", instructions: "x".repeat(2 * 1024 * 1024) }),
      "questions",
      "This list has more than 2 MiB.",
    ],
    [
      "a tool's name of 257 characters, which each output would repeat",
      { ...REQUEST, input: [{ type: "function_call", call_id: "1", name: "n".repeat(257), arguments: "" }] },
      "input.0.name",
      "The name of a tool has at most 256 characters.",
    ],
    [
      "a name of 257 characters",
      asks({ type: "predicate", name: "n".repeat(257) }),
      "questions.0.name",
      "A name has at most 256 characters.",
    ],
    ["both bodies", { ...REQUEST, state: "s" }, "state", expect.stringContaining("POST /v1/decisions")],
    ["no input", { ...REQUEST, input: undefined }, "input", "This field is required."],
    ["named questions", { ...REQUEST, questions: {} }, "questions", "The questions must be a list."],
    ["no question", { ...REQUEST, questions: [] }, "questions", "A request has 1 to 128 questions."],
    ["129 questions", { ...REQUEST, questions: Array(129).fill(PREDICATE) }, "questions", expect.any(String)],
    [
      "an unknown type",
      asks({ type: "noul" }),
      "questions.0.type",
      "The type of a question is predicate, choice, score.",
    ],
    ["an unknown field", asks({ type: "predicate", criteria: {} }), "questions.0.criteria", expect.any(String)],
    [
      "no instructions",
      asks({ type: "predicate", instructions: undefined }),
      "questions.0.instructions",
      expect.any(String),
    ],
    ["no choices", asks({ type: "choice", choices: [] }), "questions.0.choices", "This list has 1 to 255 entries."],
    [
      "a value twice",
      asks({ type: "choice", choices: [{ value: "a" }, { value: "a" }] }),
      "questions.0.choices",
      "Each value may occur once.",
    ],
    [
      "a value that is a number",
      asks({ type: "choice", choices: [{ value: 1 }] }),
      "questions.0.choices.0.value",
      expect.any(String),
    ],
    [
      "11 levels",
      asks({ type: "score", levels: Array(11).fill({ label: "l" }) }),
      "questions.0.levels",
      "This list has 1 to 10 entries.",
    ],
    [
      "a level without label",
      asks({ type: "score", levels: [{}] }),
      "questions.0.levels.0.label",
      "This field is required.",
    ],
  ] as [string, object, string, unknown][])(
    "refuses %s by its field, and charges nothing",
    async (_what, body, param, message) => {
      const { accountId, token } = await insertPayer()
      const response = await post(token, body)
      const { error } = (await expectDescribed(response, PATH)) as { error: object }
      expect([response.status, error]).toEqual([
        400,
        { type: "invalid_request_error", code: "invalid_request", param, message },
      ])
      expect(await moneyOf(accountId)).toMatchObject({ charges: 0, held: 0n })
    },
  )

  it("names the list that exceeds a limit of the model", async () => {
    const limits = { maxQuestions: 16, maxOptions: 2, maxLevels: 10, maxBodyBytes: 29_360_128 }
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, ...limits })
    await loadCatalogue(runtime())
    const { token } = await insertPayer()
    const response = await post(
      token,
      asks({ type: "choice", choices: [{ value: "a" }, { value: "b" }, { value: "c" }] }),
    )
    await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, ...limits, maxOptions: 255 })
    await loadCatalogue(runtime())
    expect(await response.json()).toMatchObject({ error: { param: "questions.0.choices" } })
  })
})
