import { expect, test } from "vitest"
import { pico } from "@/lib/shared/money"
import { noul } from "@/lib/shared/request-form/examples"
import { newRun, newSet } from "@/test/scripted-run"
import { NO_TOTALS, type RowResult } from "./evaluation-run"
import { rowRequests } from "./row-requests"
import { inDoubtCost, splitCap } from "./shared-cap"

const FORM = { ...newRun().form, questions: [noul("refund", "Money back?", "", "")] }
const ROWS = ["one", "two", "three"].map((text, index) => ({ index, line: index + 2, cells: [text] }))
const RUN = newRun({
  form: FORM,
  mapping: { state: { kind: "column", column: "text" }, labels: [] },
  totals: { ...NO_TOTALS, inDoubt: 2, costUsd: "0.500000000000" },
})
const SET = newSet(RUN, { rowCount: 3 })
const RESULTS: RowResult[] = [0, 1, 2].map((row) => ({
  runId: "run",
  row,
  status: row === 0 ? "waiting" : "in_doubt",
  attempt: "a",
  sentAt: "2026-11-22T10:00:00.000Z",
}))

const requests = rowRequests(SET, ROWS, RUN, "1000")
const inDoubt = requests ? inDoubtCost(requests, RESULTS) : pico(0)

test("a queued run gets the cap minus what the run before it may have spent, including rows in doubt", () => {
  // The JSON of the questions has 85 bytes, that of the states 5 and 7: (91 + 93) · $1,000 / 1M.
  expect(inDoubt).toBe(184_000_000_000n)
  expect(splitCap(pico(1_000_000_000_000n), RUN, inDoubt)).toEqual({
    kept: "0.684000000000",
    left: "0.316000000000",
  })
})

test("a queued run gets nothing when the run before it may have spent the cap", () => {
  expect(splitCap(pico(600_000_000_000n), RUN, inDoubt).left).toBe("0.000000000000")
})
