import { describe, expect, it } from "vitest"
import { checkRequest } from "./check-request"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Returns a request body with these questions as JSON source. Its model and state are fixed. */
const withQuestions = (questions: string) => `{"model":"m","state":"s","questions":${questions}}`
const withQuestion = (question: string) => withQuestions(`{"q":${question}}`)
const noul = '{"type":"noul","instructions":"Is it?"}'

function paramOf(text: string): string | null {
  const result = checkRequest(bytes(text))
  return result.ok ? null : result.param
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
    // The spec says "optional object": null is present but not an object.
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

  it("above the global ceilings, and accepted at them", () => {
    expect([paramOf(questions(128)), paramOf(questions(129))]).toEqual([null, "questions"])
    expect([paramOf(options(255)), paramOf(options(256))]).toEqual([null, "questions.q.criteria"])
    expect([paramOf(levels(10)), paramOf(levels(11))]).toEqual([null, "questions.q.criteria"])
    expect(paramOf(options(100_000))).toBe("questions.q.criteria")
  })

  it("for a repeated name, with the path of the second one", () => {
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
  ])("for the first of several faults, param %s", (param, text) => expect(paramOf(text)).toBe(param))

  it("with a message that contains nothing of the request", () => {
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
      expect(JSON.stringify({ ...result, param: "", path: [] })).not.toContain(secret)
    }
  })
})
