import { expect, test } from "vitest"
import { statementLines } from "./statement-lines"

test("lines are sorted by day, entries before the day's sums of decisions", () => {
  const entry = (id: string, at: string, more: object) => ({
    id,
    at,
    kind: "topup" as const,
    amountUsd: "25.000000000000",
    balanceAfterUsd: "25.000000000000",
    note: null,
    isReversal: false,
    topupId: null,
    charge: null,
    ...more,
  })
  const lines = statementLines({
    entries: [
      entry("4", "2026-11-02T10:00:00.000Z", { topupId: "top_1" }),
      entry("9", "2026-11-03T00:00:00.000Z", { kind: "dispute", note: null, topupId: "top_1" }),
    ],
    charges: [
      { day: "2026-11-01", keyLabel: "CI", decisions: 1, tokens: 1, amountUsd: "-0.100000000000" },
      { day: "2026-11-02", keyLabel: "Production", decisions: 1200, tokens: 45_000, amountUsd: "-0.200000000000" },
    ],
  })
  expect(lines.map(({ day, what, details, topupId }) => [day, what, details ?? topupId])).toEqual([
    ["2026-11-01", "1 decision", "1 token, CI"],
    ["2026-11-02", "Top-up", "top_1"],
    ["2026-11-02", "1,200 decisions", "45,000 tokens, Production"],
    ["2026-11-03", "Dispute ended, credited again", "top_1"],
  ])
})
