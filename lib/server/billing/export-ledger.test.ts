import { expect, test } from "vitest"
import { ledgerLine } from "./export-ledger"

test("a line has exact amounts, and a note in it is no formula", () => {
  const entry = {
    id: "7",
    at: "2026-11-20T00:00:00.000Z",
    kind: "debit" as const,
    amountUsd: "-1.000000000000",
    balanceAfterUsd: "-1.000000000000",
    note: '=HYPERLINK("http://x")',
    isReversal: false,
    topupId: null,
    charge: null,
  }
  expect(ledgerLine(entry)).toBe(
    `2026-11-20T00:00:00.000Z,"Debit by the operator",-1.000000000000,-1.000000000000,,,,,,"'=HYPERLINK(""http://x"")",7,,\r\n`,
  )
})
