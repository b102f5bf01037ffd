import { describe, expect, it } from "vitest"
import { paramOf } from "./field-path"
import { scan } from "./scan"

function scanned(text: string) {
  const result = scan(new TextEncoder().encode(text))
  return result.ok ? { ok: true } : { ok: false, fault: result.fault, param: paramOf(result.path) }
}

const wide = (count: number, last: string) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")},${JSON.stringify(last)}:0}`

describe("repeated names", () => {
  it.each([
    ["model", '{"model":1,"state":2,"model":3}'],
    ["state", '{"state":"a","state":"b"}'],
    ["extra", '{"extra":1,"extra":2}'],
    ["body", `{"${"x".repeat(65)}":1,"${"x".repeat(65)}":2}`],
    ["x".repeat(64), `{"${"x".repeat(64)}":1,"${"x".repeat(64)}":2}`],
    ["body", '{"":1,"":2}'],
    ["body", '[{"a":1,"a":2}]'],
    ["state", '{"state":{"secret":1,"secret":2}}'],
    ["state", '{"state":[[{"x":{"secret":1,"secret":2}}]]}'],
    ["model", '{"model":{"a":1,"a":2}}'],
    ["questions.q", '{"questions":{"q":{},"q":{}}}'],
    ["questions", '{"questions":[{"a":1,"a":2}]}'],
    ["questions", '{"questions":[{"choices":[{"value":1,"value":2}]}]}'],
    ["input", '{"input":[{"secret":1,"secret":2}]}'],
    ["questions", `{"questions":{"${"x".repeat(65)}":0,"${"x".repeat(65)}":0}}`],
    ["questions.q.type", '{"questions":{"q":{"type":1,"type":2}}}'],
    ["questions.q", '{"questions":{"q":[{"a":1,"a":2}]}}'],
    ["questions.q.instructions", '{"questions":{"q":{"instructions":{"secret":1,"secret":2}}}}'],
    ["questions.q.criteria", '{"questions":{"q":{"criteria":{},"criteria":{}}}}'],
    ["questions.q.criteria.yes", '{"questions":{"q":{"criteria":{"yes":1,"no":2,"yes":3}}}}'],
    ["questions.q.criteria.no", '{"questions":{"q":{"criteria":{"yes":1,"no":{"secret":[{"b":1,"b":2}]}}}}}'],
    ["questions.q.criteria.1", '{"questions":{"q":{"criteria":["a",{"secret":1,"secret":2}]}}}'],
    ["questions.q.criteria", `{"questions":{"q":{"criteria":{"${"o".repeat(129)}":1,"${"o".repeat(129)}":2}}}}`],
    [
      `questions.q.criteria.${"😀".repeat(128)}`,
      `{"questions":{"q":{"criteria":{"${"😀".repeat(128)}":1,"${"😀".repeat(128)}":2}}}}`,
    ],
    [
      "questions.__proto__.criteria.__proto__",
      '{"questions":{"__proto__":{"criteria":{"__proto__":1,"__proto__":2}}}}',
    ],
  ])("are refused with the path %s", (param, text) =>
    expect(scanned(text)).toEqual({ ok: false, fault: "duplicate", param }),
  )

  it.each([
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"\\u0061":1,"a":2}', "a"],
    ['{"é":1,"\\u00e9":2}', "é"],
    ['{"😀":1,"\\ud83d\\ude00":2}', "😀"],
    ['{"日":1,"\\u65e5":2}', "日"],
    ['{"a/b":1,"a\\/b":2}', "a/b"],
    ['{"\\u005c":1,"\\\\":2}', "\\"],
    ['{"\\u0022":1,"\\"":2}', '"'],
    ['{"\\n":1,"\\u000A":2}', "\n"],
  ])("are compared after unescaping: %s", (text, param) =>
    expect(scanned(text)).toEqual({ ok: false, fault: "duplicate", param }),
  )

  it.each([
    '{"a":1,"A":2}',
    '{"a":1,"a ":2}',
    '{"a":1,"":2}',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"\\u0061b":1,"a":2}',
    '{"é":1,"e\\u0301":2}',
    '{"a":"a","b":"a"}',
    '{"10":1,"1":0,"01":2}',
  ])("are not reported for distinct names: %s", (text) => expect(scanned(text).ok).toBe(true))

  it("are found in objects of every size, at every position", () => {
    for (const count of [1, 11, 12, 13, 63, 64, 65, 5000]) {
      expect(scanned(wide(count, "other")).ok).toBe(true)
      for (const position of [0, count >> 1, count - 1])
        expect(scanned(wide(count, `k${position}`))).toMatchObject({ fault: "duplicate", param: `k${position}` })
    }
  })

  it("are reported by the first in the document, and only for valid JSON", () => {
    expect(scanned('{"a":1,"a":{"x":1,"x":2},"b":1,"b":2}')).toMatchObject({ param: "a" })
    expect(scanned('{"state":{"x":1,"x":2},"a":1,"a":2}')).toMatchObject({ param: "state" })
    expect(scanned('{"a":1,"a":2')).toMatchObject({ fault: "grammar", param: "body" })
  })
})

describe("the path of a repeated name", () => {
  it.each([
    ['{"questions":{"a.b":{"type":1,"type":2}}}', ["questions", "a.b", "type"]],
    ['{"questions":{"a.b":{"criteria":{"x.y":1,"x.y":2}}}}', ["questions", "a.b", "criteria", "x.y"]],
    ['{"questions":{"q":{"criteria":["a",{"b":1,"b":2}]}}}', ["questions", "q", "criteria", 1]],
    ['{"questions":{"q":{"criteria":[{"b":1,"b":2}]}}}', ["questions", "q", "criteria", 0]],
    ['[{"a":1,"a":2}]', []],
  ])("keeps names with dots whole, and indexes as numbers: %s", (text, path) =>
    expect(scan(new TextEncoder().encode(text))).toEqual({ ok: false, fault: "duplicate", path }),
  )
})
