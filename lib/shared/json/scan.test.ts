import { describe, expect, it } from "vitest"
import { type ScanResult, scan } from "./scan"

const bytes = (text: string) => new TextEncoder().encode(text)
const scanned = (text: string): ScanResult => scan(bytes(text))
const faultOf = (result: ScanResult) => (result.ok ? null : result.fault)

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
  ])("accepts %j", (text) => expect(scanned(text).ok).toBe(true))

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
    '{"a":1,2}',
    '{"a":1,{}}',
    '{"a":1,null}',
    "{2}",
    "{{}}",
    "{[]}",
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
  ])("refuses %j", (text) => expect(scanned(text)).toEqual({ ok: false, fault: "grammar", path: [] }))

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
  ])("refuses invalid UTF-8: %s", (_, middle) => {
    const inValue = Uint8Array.from([...bytes('{"a":"'), ...middle, ...bytes('"}')])
    const inName = Uint8Array.from([...bytes('{"'), ...middle, ...bytes('":1}')])
    expect([scan(inValue), scan(inName)]).toEqual(Array(2).fill({ ok: false, fault: "utf8", path: [] }))
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
    expect(scanned(text)).toEqual({ ok: false, fault: "surrogate", path: [] }),
  )

  it("validates every byte of a long string at every alignment", () => {
    const at = (before: number, byte: number, offset: number) => {
      const around = bytes(`${"[".repeat(offset)}"${"x".repeat(before)}?${"x".repeat(12)}"${"]".repeat(offset)}`)
      around[offset + 1 + before] = byte
      return faultOf(scan(around))
    }
    for (let offset = 0; offset < 4; offset++)
      for (let before = 495; before < 545; before++)
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

  it("accepts 512 levels and refuses 513", () => {
    const nested = (levels: number) => scanned("[".repeat(levels) + "]".repeat(levels))
    expect(nested(512).ok).toBe(true)
    expect(nested(513)).toEqual({ ok: false, fault: "depth", path: [] })
    expect(faultOf(scanned(`${'{"a":'.repeat(512)}1${"}".repeat(512)}`))).toBeNull()
    expect(faultOf(scanned('{"a":'.repeat(200_000)))).toBe("depth")
  })

  it("reads part of a larger buffer at every offset and nothing around it", () => {
    const long = `["${"x".repeat(300)}é"]`
    for (let offset = 0; offset < 8; offset++) {
      const around = bytes(`${'"'.repeat(offset)}${long}"`)
      expect(scan(around.subarray(offset, offset + bytes(long).length)).ok).toBe(true)
      expect(faultOf(scan(around.subarray(offset, offset + bytes(long).length - 1)))).toBe("grammar")
    }
  })
})
