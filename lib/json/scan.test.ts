import { describe, expect, it } from "vitest"
import { JsonNode } from "./request-index"
import { type ScanResult, scan } from "./scan"

const bytes = (text: string) => new TextEncoder().encode(text)
const scanned = (text: string): ScanResult => scan(bytes(text))
const faultOf = (result: ScanResult) => (result.ok ? null : result.fault)
const root = (text: string): JsonNode => {
  const result = scanned(text)
  if (!result.ok) throw new Error(result.fault)
  return new JsonNode(bytes(text), result.nodes)
}

describe("grammar", () => {
  it.each([
    "{}",
    "[]",
    '""',
    "0",
    "-0",
    "12",
    "0.5",
    "1e400",
    "1E+2",
    "-1.25e-7",
    "true",
    "false",
    "null",
    ' \t\r\n{ "a" : [ 1 , 2 ] } \n',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABcd"',
    '"\\ud83d\\ude00"',
    '"\u007f\u2028é日😀"',
    "12345678901234567890123",
    `"${"x".repeat(1000)}"`,
    `"${"x".repeat(1000)}\\n${"y".repeat(131)}é"`,
  ])("takes %j", (text) => expect(scanned(text).ok).toBe(true))

  it.each([
    "",
    " ",
    "{",
    "[",
    '"',
    "{}{}",
    "[] x",
    "01",
    "-",
    "+1",
    "1.",
    ".5",
    "1.e1",
    "1e",
    "1e+",
    "0x1",
    "1_0",
    "NaN",
    "Infinity",
    "tru",
    "True",
    "nul",
    "undefined",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{]",
    '{"a":1]',
    '{"a":1,}',
    '{,"a":1}',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    "{a:1}",
    "{'a':1}",
    "{1:1}",
    '{"a":1 "b":2}',
    '["a":1]',
    '"\\x"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\',
    '"a\nb"',
    '"\u0000"',
    "// c\n1",
    "1 // c",
    "[1]]",
    "\ufeff{}",
    "\u00a01",
    '{"a',
    '{"a\\',
    '{"a":"b',
    `"${"x".repeat(1000)}\n"`,
    `"${"x".repeat(1000)}`,
  ])("refuses %j", (text) => expect(scanned(text)).toEqual({ ok: false, fault: "grammar", param: "body" }))

  it.each([
    ["a stray tail byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an overlong NUL", [0xe0, 0x80, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
    ["a lead without tail", [0xe2, 0x82]],
    ["a lead before ASCII", [0xc3, 0x41]],
    ["0xff", [0xff]],
    ["overlong in four", [0xf0, 0x80, 0x80, 0x80]],
    ["a bad third byte", [0xe2, 0x82, 0x41]],
    ["a bad fourth byte", [0xf0, 0x9f, 0x98, 0x41]],
  ])("refuses what is not UTF-8: %s", (_, middle) => {
    const inValue = Uint8Array.from([...bytes('{"a":"'), ...middle, ...bytes('"}')])
    const inName = Uint8Array.from([...bytes('{"'), ...middle, ...bytes('":1}')])
    expect([scan(inValue), scan(inName)]).toEqual(Array(2).fill({ ok: false, fault: "utf8", param: "body" }))
  })

  it.each([
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800x"',
    '"\\ud800\\n"',
    '"\\ud800\\ud800"',
    '"\\udc00\\ud800"',
    '{"\\ud800":1}',
    '"\\ud800',
  ])("refuses a lone surrogate: %s", (text) =>
    expect(scanned(text)).toEqual({ ok: false, fault: "surrogate", param: "body" }),
  )

  it("looks at every byte of a long string, wherever it stands", () => {
    const at = (before: number, byte: number, offset: number) => {
      const around = bytes(`${"[".repeat(offset)}"${"x".repeat(before)}?${"x".repeat(12)}"${"]".repeat(offset)}`)
      around[offset + 1 + before] = byte
      return faultOf(scan(around))
    }
    for (let offset = 0; offset < 4; offset++)
      for (let before = 0; before < 280; before++)
        expect([0x00, 0x1f, 0x22, 0x5c, 0x80, 0xff, 0x20, 0x7f].map((byte) => at(before, byte, offset))).toEqual([
          "grammar",
          "grammar",
          "grammar",
          "grammar",
          "utf8",
          "utf8",
          null,
          null,
        ])
  })

  it("takes 512 levels and refuses 513", () => {
    const nested = (levels: number) => scanned("[".repeat(levels) + "]".repeat(levels))
    expect(nested(512).ok).toBe(true)
    expect(nested(513)).toEqual({ ok: false, fault: "depth", param: "body" })
    expect(faultOf(scanned(`${'{"a":'.repeat(512)}1${"}".repeat(512)}`))).toBeNull()
    expect(faultOf(scanned('{"a":'.repeat(200_000)))).toBe("depth")
  })

  it("reads a part of a larger buffer, wherever it begins, and nothing around it", () => {
    const long = `["${"x".repeat(300)}é"]`
    for (let offset = 0; offset < 8; offset++) {
      const around = bytes(`${'"'.repeat(offset)}${long}"`)
      expect(scan(around.subarray(offset, offset + bytes(long).length)).ok).toBe(true)
      expect(faultOf(scan(around.subarray(offset, offset + bytes(long).length - 1)))).toBe("grammar")
    }
  })
})

const wide = (count: number, last: string) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(",")},${JSON.stringify(last)}:0}`

describe("names that repeat", () => {
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
  ])("are not found where there are none: %s", (text) => expect(scanned(text).ok).toBe(true))

  it("are found in objects of every size, whichever name repeats", () => {
    for (const count of [1, 11, 12, 13, 63, 64, 65, 5000]) {
      expect(scanned(wide(count, "other")).ok).toBe(true)
      for (const position of [0, count >> 1, count - 1])
        expect(scanned(wide(count, `k${position}`))).toMatchObject({ fault: "duplicate", param: `k${position}` })
    }
  })

  it("are told of by the first in the document, and only when the body is JSON at all", () => {
    expect(scanned('{"a":1,"a":{"x":1,"x":2},"b":1,"b":2}')).toMatchObject({ param: "a" })
    expect(scanned('{"state":{"x":1,"x":2},"a":1,"a":2}')).toMatchObject({ param: "state" })
    expect(scanned('{"a":1,"a":2')).toMatchObject({ fault: "grammar", param: "body" })
  })
})

describe("the index", () => {
  it("has members with kinds, sizes and ranges along root, questions, question and criteria, in order", () => {
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

  it("stays small for a hostile body and goes on counting", () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `"k${i}":0`).join(",")
    const members = root(`{${many}}`)
    expect([members.size, members.children().length]).toEqual([5_000, 300])
    const criteria = Array.from({ length: 300 }, (_, i) => `"o${i}":0`).join(",")
    const questions = Array.from({ length: 300 }, (_, i) => `"q${i}":{"criteria":{${criteria}}}`).join(",")
    const result = scanned(`{"questions":{${questions}}}`)
    expect(result.ok && result.nodes.length).toBe(40_000 * 8)
    expect(root(`{"questions":{${questions}}}`).children()[0]?.size).toBe(300)
  })

  it("holds the largest valid request whole", () => {
    const criteria = Array.from({ length: 255 }, (_, i) => `"o${i}":null`).join(",")
    const questions = Array.from(
      { length: 128 },
      (_, i) => `"q${i}":{"type":"choice","instructions":null,"criteria":{${criteria}}}`,
    )
    const result = scanned(`{"model":"m","state":"s","questions":{${questions.join(",")}}}`)
    expect(result.ok && result.nodes.length / 8).toBe(33_156)
  })
})
