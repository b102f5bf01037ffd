import { describe, expect, it } from "vitest"
import type { CheckedRequest } from "./check-request"
import { billedTexts, checkModelLimits, checkRequest } from "./check-request"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Returns a request body with these questions as JSON source. Its model and state are fixed. */
const withQuestions = (questions: string) => `{"model":"m","state":"s","questions":${questions}}`
const withQuestion = (question: string) => withQuestions(`{"q":${question}}`)
const noul = '{"type":"noul","instructions":"Is it?"}'

function paramOf(text: string): string | null {
  const result = checkRequest(bytes(text))
  return result.ok ? null : result.param
}

function taken(text: string): CheckedRequest {
  const result = checkRequest(bytes(text))
  if (!result.ok) throw new Error(`${result.param}: ${result.message}`)
  return result.request
}

describe("a request is accepted", () => {
  it("with every question type, keeping names and values in the order and spelling sent", () => {
    const request = taken(`{
      "questions": {
        "10": {"type": "score", "criteria": ["low", {"b": 1.0, "a": 1e400}, [ ]]},
        "__proto__": {"criteria": {"toString": "x y", "10": null, "2": { "k" : "v w" }, "constructor": [1, 2]}, "type": "choice", "instructions": null},
        "constructor": {"type": "noul", "criteria": {"false": null, "true": "si"}},
        "2": {"type": "noul", "instructions": [ "a", "b" ]}
      },
      "state": { "10" : 1, "2" : 12345678901234567890 },
      "model": "svc-\\u0064ecider"
    }`)
    expect(request.model).toBe("svc-decider")
    expect(request.state.json()).toBe('{"10":1,"2":12345678901234567890}')
    expect(request.questions.map(({ name, type }) => [name, type])).toEqual([
      ["10", "score"],
      ["__proto__", "choice"],
      ["constructor", "noul"],
      ["2", "noul"],
    ])
    const [score, choice, judged, instructed] = request.questions
    expect(score?.type === "score" && score.levels.map((level) => [level.kind, level.json()])).toEqual([
      ["string", '"low"'],
      ["object", '{"b":1.0,"a":1e400}'],
      ["array", "[]"],
    ])
    expect(
      choice?.type === "choice" && choice.options.map(({ name, description }) => [name, description?.json() ?? null]),
    ).toEqual([
      ["toString", '"x y"'],
      ["10", null],
      ["2", '{"k":"v w"}'],
      ["constructor", "[1,2]"],
    ])
    expect([choice?.instructions, judged?.instructions, instructed?.instructions?.json()]).toEqual([
      null,
      null,
      '["a","b"]',
    ])
    expect(judged?.type === "noul" && [judged.criteria?.yes?.text(), judged.criteria?.no]).toEqual(["si", null])
    expect(instructed?.type === "noul" && instructed.criteria).toBeNull()
  })

  it.each([
    '{"type":"noul","criteria":{}}',
    '{"type":"noul","instructions":null,"criteria":{}}',
    '{"type":"noul","instructions":null,"criteria":{"true":null}}',
    '{"type":"noul","instructions":""}',
    '{"type":"noul","instructions":{}}',
    '{"type":"noul","instructions":[]}',
    '{"\\u0074ype":"n\\u006ful","instructions":"i"}',
    '{"type":"choice","criteria":{"only":null}}',
    `{"type":"choice","criteria":{"${"😀".repeat(128)}":""," ":{}}}`,
    '{"type":"score","criteria":["one"]}',
    '{"type":"score","criteria":["",{},[]]}',
  ])("with the question %s", (question) => expect(paramOf(withQuestion(question))).toBeNull())

  it.each(['" "', '"\\u0000"', '{"":null}', "[null]", "[[]]"])("with the state %s", (state) =>
    expect(taken(`{"model":"m","state":${state},"questions":{"q":${noul}}}`).state.json()).toBe(state),
  )

  it("with question names of every allowed character and length", () => {
    const names = ["a", "Z", "0", "_", "-", "n".repeat(64), "toString", "hasOwnProperty"]
    expect(
      taken(withQuestions(`{${names.map((name) => `"${name}":${noul}`).join(",")}}`)).questions.map(({ name }) => name),
    ).toEqual(names)
  })

  it("from part of a larger buffer", () => {
    const text = withQuestion(noul)
    const buffer = Buffer.from(`xxx${text}xxx`)
    expect(checkRequest(buffer.subarray(3, 3 + text.length))).toMatchObject({ ok: true })
  })
})

it("bills the state, then all texts of each question, including option names", () => {
  const request = taken(
    `{"model":"m","state":{"a": 1},"questions":{"n":{"type":"noul","instructions":"i","criteria":{"false":"no","true":null}},"c":{"type":"choice","criteria":{"x":null,"y":["d"]}},"s":{"type":"score","criteria":["l", {}]}}}`,
  )
  expect(billedTexts(request).map((text) => (typeof text === "string" ? text : text.text()))).toEqual([
    '{"a":1}',
    "i",
    "no",
    "x",
    "y",
    '["d"]',
    "l",
    "{}",
  ])
})

describe("a model's own limits", () => {
  const request = taken(
    withQuestions(
      `{"a":${noul},"b":{"type":"choice","criteria":{"x":null,"y":null,"z":null}},"c":{"type":"score","criteria":["0","1"]}}`,
    ),
  )
  it.each([
    [3, 3, 2, null],
    [2, 3, 2, "questions"],
    [3, 2, 2, "questions.b.criteria"],
    [3, 3, 1, "questions.c.criteria"],
    [3, 1, 1, "questions.b.criteria"],
    [1, 1, 1, "questions"],
  ])("of %i questions, %i options and %i levels give %s", (maxQuestions, maxOptions, maxLevels, param) =>
    expect(checkModelLimits(request, { maxQuestions, maxOptions, maxLevels })?.path.join(".") ?? null).toBe(param),
  )

  it("name a question as its client did", () => {
    const named = { ...request, clientNames: ["a.a", "b.b", "c.c"] }
    expect(checkModelLimits(named, { maxQuestions: 3, maxOptions: 2, maxLevels: 2 })?.path).toEqual([
      "questions",
      "b.b",
      "criteria",
    ])
  })

  it.each([
    [1, 3, 2, "This model takes at most 1 question in a request."],
    [2, 3, 2, "This model takes at most 2 questions in a request."],
    [3, 1, 2, "This model takes at most 1 option in a choice question."],
    [3, 3, 1, "This model takes at most 1 level in a score question."],
  ])("of %i questions, %i options and %i levels have the message %j", (maxQuestions, maxOptions, maxLevels, message) =>
    expect(checkModelLimits(request, { maxQuestions, maxOptions, maxLevels })?.message).toBe(message),
  )
})
