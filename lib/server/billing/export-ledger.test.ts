import { expect, test } from "vitest"
import { csvLine } from "./export-ledger"

test.each([
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1+1", `"'\t=1+1"`],
  [" =1+1", `"' =1+1"`],
  ["＝1+1", `"'＝1+1"`],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["a;=1+1", `"a;=1+1"`],
  ["a\r\n=1+1", `"a\r\n=1+1"`],
  ["Größe, 大", `"Größe, 大"`],
])("a note of %o is neither a formula nor a separator in a spreadsheet", (note, field) => {
  const entry = {
    id: "7",
    at: "2026-11-20T00:00:00.000Z",
    kind: "credit" as const,
    amountUsd: "1.000000000000",
    balanceAfterUsd: "1.000000000000",
    note,
    isReversal: false,
    topupId: null,
    charge: null,
  }
  expect(csvLine(entry)).toBe(
    `2026-11-20T00:00:00.000Z,"Credit by the operator",1.000000000000,1.000000000000,,,,,,${field},7,\r\n`,
  )
})
