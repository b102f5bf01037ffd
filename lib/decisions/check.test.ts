import { describe, expect, it } from "vitest"
import type { CheckedRequest } from "./check"
import { billedTexts, checkModelLimits, checkRequest } from "./check"

const bytes = (text: string) => new TextEncoder().encode(text)

/** A valid request as JSON text, with its state, or all of its questions, given as source. */
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

const list = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join(",")
const questions = (count: number) => withQuestions(`{${list(count, (i) => `"q${i}":${noul}`)}}`)
const options = (count: number) => withQuestion(`{"type":"choice","criteria":{${list(count, (i) => `"o${i}":null`)}}}`)
const levels = (count: number) => withQuestion(`{"type":"score","criteria":[${list(count, (i) => `"l${i}"`)}]}`)

describe("a request is refused", () => {
  it.each([
    ["body", ""],
    ["body", "{"],
    ["body", "[]"],
    ["body", '"text"'],
    ["body", "null"],
    ["body", "1"],
    ["model", "{}"],
    ["model", `{"state":"s","questions":{"q":${noul}}}`],
    ["model", `{"model":null,"state":"s","questions":{"q":${noul}}}`],
    ["model", `{"model":1,"state":"s","questions":{"q":${noul}}}`],
    ["model", `{"model":["m"],"state":"s","questions":{"q":${noul}}}`],
    ["model", `{"model":"","state":"s","questions":{"q":${noul}}}`],
    ["state", `{"model":"m","questions":{"q":${noul}}}`],
    ...["null", "true", "false", "0", '""', "{}", "[]", "{ }", "[\n]"].map((state) => [
      "state",
      `{"model":"m","state":${state},"questions":{"q":${noul}}}`,
    ]),
    ["questions", '{"model":"m","state":"s"}'],
    ...["null", "[]", '"q"', "1", "{}", `[${noul}]`].map((value) => ["questions", withQuestions(value)]),
    ["questions", questions(129)],
    ["questions", questions(5_000)],
    ["extra", `{"model":"m","state":"s","questions":{"q":${noul}},"extra":1}`],
    ["Model", `{"Model":"m","state":"s","questions":{"q":${noul}}}`],
    ["__proto__", '{"__proto__":{"model":"m","state":"s"}}'],
    ["constructor", '{"constructor":1}'],
    ["x".repeat(64), `{"${"x".repeat(64)}":1}`],
    ["body", `{"${"x".repeat(65)}":1}`],
    ["😀".repeat(64), `{"${"😀".repeat(64)}":1}`],
    ["body", '{"":1}'],
  ])("at the top, param %s", (param, text) => expect(paramOf(text as string)).toBe(param))

  it.each([
    ["questions.a b", `{"a b":${noul}}`],
    ["questions.é", `{"é":${noul}}`],
    ["questions.a.b", `{"a.b":${noul}}`],
    ["questions.a\n", `{"a\\n":${noul}}`],
    ["questions", `{"":${noul}}`],
    ["questions", `{"${"n".repeat(65)}":${noul}}`],
  ])("for a question's name, param %j", (param, text) => expect(paramOf(withQuestions(text))).toBe(param))

  it.each([
    ...["null", "[]", '"noul"', "true", "0"].map((value) => ["questions.q", value]),
    ["questions.q.type", "{}"],
    ["questions.q.type", '{"type":null}'],
    ["questions.q.type", '{"type":"Noul"}'],
    ["questions.q.type", '{"type":["noul"]}'],
    ["questions.q.type", '{"type":""}'],
    ["questions.q.type", `{"type":"${"n".repeat(1000)}"}`],
    ["questions.q.weight", '{"type":"noul","instructions":"i","weight":1}'],
    ["questions.q.__proto__", '{"type":"noul","instructions":"i","__proto__":{}}'],
    ["questions.q", `{"type":"noul","instructions":"i","${"x".repeat(65)}":1}`],
    ...["1", "true", "false"].flatMap((value) => [
      ["questions.q.instructions", `{"type":"noul","instructions":${value}}`],
      ["questions.q.instructions", `{"type":"choice","instructions":${value},"criteria":{"a":null}}`],
      ["questions.q.instructions", `{"type":"score","instructions":${value},"criteria":["a"]}`],
    ]),
  ])("for a question's fields, param %s: %s", (param, text) =>
    expect(paramOf(withQuestion(text as string))).toBe(param),
  )

  it.each([
    ["questions.q", '{"type":"noul"}'],
    ["questions.q", '{"type":"noul","instructions":null}'],
    // The spec says "optional object": null is present, and no object.
    ["questions.q.criteria", '{"type":"noul","instructions":"i","criteria":null}'],
    ...["[]", '"yes"', "1", "true"].map((value) => [
      "questions.q.criteria",
      `{"type":"noul","instructions":"i","criteria":${value}}`,
    ]),
    ["questions.q.criteria.maybe", '{"type":"noul","criteria":{"true":"a","maybe":"b"}}'],
    ["questions.q.criteria.True", '{"type":"noul","criteria":{"True":"a"}}'],
    ["questions.q.criteria", `{"type":"noul","criteria":{"${"x".repeat(65)}":"a"}}`],
    ["questions.q.criteria.true", '{"type":"noul","criteria":{"true":true}}'],
    ["questions.q.criteria.false", '{"type":"noul","criteria":{"true":"a","false":0}}'],
  ])("for a noul question, param %s: %s", (param, text) => expect(paramOf(withQuestion(text as string))).toBe(param))

  it.each([
    ["questions.q.criteria", '{"type":"choice"}'],
    ["questions.q.criteria", '{"type":"choice","instructions":"i"}'],
    ...["null", "{}", "[]", '["a"]', '"a"', "1"].map((value) => [
      "questions.q.criteria",
      `{"type":"choice","criteria":${value}}`,
    ]),
    ["questions.q.criteria", '{"type":"choice","criteria":{"":null}}'],
    ["questions.q.criteria", `{"type":"choice","criteria":{"${"o".repeat(129)}":null}}`],
    ["questions.q.criteria", `{"type":"choice","criteria":{"${"😀".repeat(129)}":null}}`],
    ["questions.q.criteria.b", '{"type":"choice","criteria":{"a":null,"b":1}}'],
    ["questions.q.criteria.a b", '{"type":"choice","criteria":{"a b":false}}'],
    ["questions.q.criteria.__proto__", '{"type":"choice","criteria":{"__proto__":false}}'],
  ])("for a choice question, param %s: %s", (param, text) => expect(paramOf(withQuestion(text as string))).toBe(param))

  it.each([
    ["questions.q.criteria", '{"type":"score"}'],
    ...["null", "[]", "{}", '{"0":"a"}', '"a"', "1"].map((value) => [
      "questions.q.criteria",
      `{"type":"score","criteria":${value}}`,
    ]),
    ["questions.q.criteria.1", '{"type":"score","criteria":["a",null]}'],
    ["questions.q.criteria.0", '{"type":"score","criteria":[1,"a"]}'],
    ["questions.q.criteria.2", '{"type":"score","criteria":["a",{},true]}'],
  ])("for a score question, param %s: %s", (param, text) => expect(paramOf(withQuestion(text as string))).toBe(param))

  it("over the global ceilings, and taken at them", () => {
    expect([paramOf(questions(128)), paramOf(questions(129))]).toEqual([null, "questions"])
    expect([paramOf(options(255)), paramOf(options(256))]).toEqual([null, "questions.q.criteria"])
    expect([paramOf(levels(10)), paramOf(levels(11))]).toEqual([null, "questions.q.criteria"])
    expect(paramOf(options(100_000))).toBe("questions.q.criteria")
  })

  it("for a name twice, with the path of the second", () => {
    expect(paramOf(`{"model":"m","model":"m","state":"s","questions":{"q":${noul}}}`)).toBe("model")
    expect(paramOf(withQuestions(`{"q":${noul},"\\u0071":${noul}}`))).toBe("questions.q")
    expect(paramOf(withQuestion('{"type":"choice","criteria":{"a":null,"\\u0061":null}}'))).toBe(
      "questions.q.criteria.a",
    )
    expect(paramOf(`{"model":"m","state":{"x":[{"y":1,"y":2}]},"questions":{"q":${noul}}}`)).toBe("state")
  })

  it.each([
    ["body", '{"extra":1,"state":{"a":1,"a":2}'],
    ["state", '{"extra":1,"state":{"a":1,"a":2}}'],
    ["extra", '{"model":1,"extra":1,"other":2}'],
    ["state", '{"model":1,"questions":{}}'],
    ["model", '{"questions":{},"state":0,"model":1}'],
    ["questions", withQuestions(`{${list(129, (i) => `"bad name ${i}":1`)}}`)],
    ["questions.b.type", withQuestions(`{"a":${noul},"b":{"instructions":1},"c d":1}`)],
    ["questions.q.extra", withQuestion('{"type":"x","instructions":1,"criteria":1,"extra":1}')],
    ["questions.q.type", withQuestion('{"criteria":1,"instructions":1,"type":"x"}')],
    ["questions.q.instructions", withQuestion('{"criteria":1,"instructions":1,"type":"choice"}')],
  ])("with the first of several faults, param %s", (param, text) => expect(paramOf(text)).toBe(param))

  it("with a text that holds nothing of what was sent", () => {
    const secret = "s3cret"
    for (const text of [
      `{"model":"${secret}","state":{"${secret}":1,"${secret}":2}}`,
      `{"${secret}":1}`,
      withQuestions(`{"${secret} ":1}`),
      withQuestion(`{"type":"${secret}"}`),
      `{"${secret}`,
    ]) {
      const result = checkRequest(bytes(text))
      expect(result).toMatchObject({ ok: false })
      expect(JSON.stringify({ ...result, param: "" })).not.toContain(secret)
    }
  })
})

describe("a request is taken", () => {
  it("with all three types of question, names and values in the order and spelling that were sent", () => {
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
    const [score, choice, judged, told] = request.questions
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
    expect([choice?.instructions, judged?.instructions, told?.instructions?.json()]).toEqual([null, null, '["a","b"]'])
    expect(judged?.type === "noul" && [judged.criteria?.yes?.text(), judged.criteria?.no]).toEqual(["si", null])
    expect(told?.type === "noul" && told.criteria).toBeNull()
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

  it("with question names of every character and length that is allowed", () => {
    const names = ["a", "Z", "0", "_", "-", "n".repeat(64), "toString", "hasOwnProperty"]
    expect(
      taken(withQuestions(`{${names.map((name) => `"${name}":${noul}`).join(",")}}`)).questions.map(({ name }) => name),
    ).toEqual(names)
  })

  it("from a part of a larger buffer", () => {
    const text = withQuestion(noul)
    const buffer = Buffer.from(`xxx${text}xxx`)
    expect(checkRequest(buffer.subarray(3, 3 + text.length))).toMatchObject({ ok: true })
  })
})

it("bills the state, then question by question all texts, option names among them", () => {
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
    expect(checkModelLimits(request, { maxQuestions, maxOptions, maxLevels })?.param ?? null).toBe(param),
  )
})
