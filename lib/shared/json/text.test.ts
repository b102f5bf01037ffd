import { describe, expect, it, vi } from "vitest"
import { compact, JsonText, squeeze } from "./text"

const bytes = (text: string) => new TextEncoder().encode(text)
const string = (source: string) => new JsonText("string", bytes(source))

describe("JsonText", () => {
  it("returns a string's characters as text and its source as JSON", () => {
    const text = string('"a\\u00e9\\n\\"\\ud83d\\ude00"')
    expect(text.text()).toBe('aé\n"😀')
    expect(text.json()).toBe('"a\\u00e9\\n\\"\\ud83d\\ude00"')
  })

  it("returns any other value's source as both", () => {
    const text = new JsonText("object", bytes('{"b":1e400,"a":12345678901234567890}'))
    expect([text.text(), text.json()]).toEqual(Array(2).fill('{"b":1e400,"a":12345678901234567890}'))
  })

  it("keeps a byte order mark inside a string", () => expect(string('"\ufeffa"').text()).toBe("\ufeffa"))

  it.each([
    ['"abc"', 3],
    ['"é"', 2],
    ['"\\u00e9"', 2],
    ['"\\u65e5"', 3],
    ['"\\ud83d\\ude00"', 4],
    ['"\\n\\\\\\""', 3],
    ['"a\\u0000é"', 4],
    ['""', 0],
  ])("counts the UTF-8 bytes of %s as %i", (source, count) => {
    expect(string(source).textBytes()).toBe(count)
    expect(new TextEncoder().encode(string(source).text()).length).toBe(count)
  })

  it("measures its bytes only once", () => {
    const text = string('"a\\n"')
    const read = vi.spyOn(text.source, "indexOf")
    expect([text.textBytes(), text.textBytes()]).toEqual([2, 2])
    expect(read).toHaveBeenCalledTimes(1)
  })

  it("yields any value as one JSON string in pieces, and knows their length", () => {
    for (const source of ['{"a":"\\"\\\\é"}', JSON.stringify([`${"x".repeat(65_533)}"\\`, "é".repeat(40_000)])]) {
      const text = new JsonText("object", bytes(source))
      const pieces = Buffer.concat([...text.quoted()])
      expect(pieces.toString() === JSON.stringify(source)).toBe(true)
      expect(text.quotedBytes()).toBe(pieces.length)
    }
    const text = string(`"${"\\u00e9".repeat(20_000)}"`)
    expect(Buffer.concat([...text.quoted()]).equals(text.source)).toBe(true)
    expect(text.quotedBytes()).toBe(text.source.length)
  })

  it("is empty only for an empty string, object or array", () => {
    const texts = [string('""'), new JsonText("object", bytes("{}")), new JsonText("array", bytes("[]")), string('" "')]
    expect(texts.map((text) => text.isEmpty())).toEqual([true, true, true, false])
  })
})

describe("compact", () => {
  it.each([
    [' { "a" : [ 1 ,\t2 ] ,\r\n"b c" : " d \\" e " } ', '{"a":[1,2],"b c":" d \\" e "}'],
    ['{ " \\\\" : "\\\\ " }', '{" \\\\":"\\\\ "}'],
    ["[ ]", "[]"],
    ['"a b"', '"a b"'],
  ])("removes only the white space between tokens: %j", (source, expected) => {
    expect(new TextDecoder().decode(compact(bytes(source)))).toBe(expected)
    const moved = bytes(source)
    expect(new TextDecoder().decode(moved.subarray(0, squeeze(moved)))).toBe(expected)
  })

  it("does not change its source, not even a Buffer", () => {
    const source = Buffer.from("[ 1 ]")
    expect(new TextDecoder().decode(compact(source))).toBe("[1]")
    expect(source.toString()).toBe("[ 1 ]")
  })
})
