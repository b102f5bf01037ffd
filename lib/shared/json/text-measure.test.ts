import fc from "fast-check"
import { expect, it } from "vitest"
import { testScale } from "@/test/scale"
import { otherLengthOf } from "./text"

const bytes = (text: string) => new TextEncoder().encode(text)
const escaped = (text: string) =>
  text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
const unit = fc.oneof(
  fc.constantFrom("a", "é", "日", "😀", "\\n", '\\"', "\\\\", "\\/", "\\u00e9", "\\u65E5", "\\ud83d\\ude00"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).map(escaped),
)
const numRuns = 2_000 * testScale

it("measures the decoded UTF-8 length of a string, however it is escaped", () => {
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const source = `"${units.join("")}"`
      expect(otherLengthOf(true, bytes(source))).toBe(bytes(JSON.parse(source)).length)
    }),
    { numRuns },
  )
})

it("measures the quoted length of any other value", () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      const source = JSON.stringify(value)
      expect(otherLengthOf(false, bytes(source))).toBe(bytes(JSON.stringify(source)).length)
    }),
    { numRuns },
  )
})
