import { describe, expect, it } from "vitest"
import { JsonNode } from "./request-index"
import { type ScanResult, scan } from "./scan"

const bytes = (text: string) => new TextEncoder().encode(text)
const scanned = (text: string): ScanResult => scan(bytes(text))
const root = (text: string): JsonNode => {
  const result = scanned(text)
  if (!result.ok) throw new Error(result.fault)
  return new JsonNode(bytes(text), result.nodes)
}

describe("the index", () => {
  it("records kinds, sizes and ranges of root, questions, question and criteria members, in order", () => {
    const text =
      '{"state": {"a": [1, 2] } ,"questions":{"10":{"criteria":["x", null,{"l":1}],"type":"score"},"__proto__":{"criteria":{"b":true,"a":-1.5}}}}'
    const shown = (node: JsonNode): unknown => [
      node.nameStart === 0 ? "" : node.name(64),
      node.kind,
      node.size,
      node.spaces,
      text.slice(node.start, node.end).slice(0, 9),
      ...node.children().map(shown),
    ]
    expect(shown(root(text))).toEqual([
      "",
      "object",
      2,
      6,
      '{"state":',
      ["state", "object", 1, 3, '{"a": [1,'],
      [
        "questions",
        "object",
        2,
        1,
        '{"10":{"c',
        [
          "10",
          "object",
          2,
          1,
          '{"criteri',
          [
            "criteria",
            "array",
            3,
            1,
            '["x", nul',
            ["", "string", 3, 0, '"x"'],
            ["", "null", 4, 0, "null"],
            ["", "object", 1, 0, '{"l":1}'],
          ],
          ["type", "string", 7, 0, '"score"'],
        ],
        [
          "__proto__",
          "object",
          1,
          0,
          '{"criteri',
          ["criteria", "object", 2, 0, '{"b":true', ["b", "true", 4, 0, "true"], ["a", "number", 4, 0, "-1.5"]],
        ],
      ],
    ])
  })

  it("finds questions and criteria by their unescaped names", () => {
    const question = root('{"\\u0071uestions":{"q":{"criteri\\u0061":{"a":1}}}}').children()[0]?.children()[0]
    expect(question?.children()[0]?.children()[0]?.name(64)).toBe("a")
  })

  it.each([
    ["[1,2,3]", 3, 0],
    ["[1, 2,-3.5e+7, 0.25]", 4, 2],
    ['[1,2, 3 ,"a",4,5 ]', 6, 3],
    ["[1,  2,[3, 4],5]", 4, 3],
    ["[7]", 1, 0],
  ])("counts the items and the white space of %s", (state, size, spaces) => {
    const member = root(`{"state":${state}}`).children()[0]
    expect([member?.size, member?.spaces]).toEqual([size, spaces])
  })

  it("stays small for a hostile body and keeps counting", () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `"k${i}":0`).join(",")
    const members = root(`{${many}}`)
    expect([members.size, members.children().length]).toEqual([5_000, 300])
    const choices = Array(300).fill('{"value":0}').join(",")
    const questions = Array(300).fill(`{"choices":[${choices}]}`).join(",")
    const result = scanned(`{"questions":[${questions}]}`)
    expect(result.ok && result.nodes.length).toBe(130_000 * 9)
    expect(root(`{"questions":[${questions}]}`).children()[0]?.size).toBe(300)
  })

  it("records nothing inside unrecorded values", () => {
    const questions = Array.from({ length: 5_000 }, (_, i) => `"q${i}":{"type":1}`).join(",")
    const result = scanned(`{"questions":{${questions}}}`)
    expect(result.ok && result.nodes.length / 9).toBe(1 + 1 + 300 + 300)
  })

  it("holds the largest valid request completely", () => {
    const criteria = Array.from({ length: 255 }, (_, i) => `"o${i}":null`).join(",")
    const questions = Array.from(
      { length: 128 },
      (_, i) => `"q${i}":{"type":"choice","instructions":null,"criteria":{${criteria}}}`,
    )
    const result = scanned(`{"model":"m","state":"s","questions":{${questions.join(",")}}}`)
    expect(result.ok && result.nodes.length / 9).toBe(33_156)
  })
})
