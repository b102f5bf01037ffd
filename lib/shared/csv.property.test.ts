import fc from "fast-check"
import { expect, it } from "vitest"
import { testScale } from "@/test/scale"
import { csvLine, csvText, fromCsvText } from "./csv"
import { readTable } from "./evaluate/rows/read-table"

/** Texts in which each character may decide whether a text is escaped, or where a field ends. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."'=+-@＝＋－＠ \t\n\",;5.ea大"), maxLength: 8 }),
  fc.string({ unit: "binary" }).filter((any) => any.isWellFormed() && !/[\r\0]/.test(any)),
)

it("a text is the same after it was written and read", () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.constantFrom("\r=", "'\r", "\r")), (written) => {
      const field = csvText(written).slice(1, -1).replaceAll('""', '"')
      expect(fromCsvText(field)).toBe(written)
    }),
    { numRuns: 20_000 * testScale },
  )
})

it("a file of texts and numbers is the same after it was written and opened in Evaluate", async () => {
  const rows = fc.array(fc.tuple(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(rows, async (written) => {
      const file = [csvLine(["text", "number"]), ...written.map(csvLine)].join("")
      const { rows: read, unreadable } = await readTable(new Blob([file]), "rows.csv")
      expect(unreadable).toEqual([])
      expect(read.map(({ cells }) => cells)).toEqual(written.map(([cell, number]) => [cell, String(number)]))
    }),
    { numRuns: 300 * testScale },
  )
}, 120_000)
