import { expect, test } from "vitest"
import type { StoredRun } from "../model/run-history"
import { outcomeOf } from "../model/run-history"
import { firstWords, searchRuns } from "./history-search"

function entry(state: string, question: string, label?: string) {
  const run: StoredRun = {
    id: state,
    accountId: "a",
    at: "2026-11-22T12:00:00.000Z",
    spentAs: "Playground",
    requestText: JSON.stringify({ model: "m", state, questions: { [question]: { type: "noul", instructions: "?" } } }),
    status: 402,
    headers: [],
    responseText: '{"error":{"code":"insufficient_balance","message":"x","type":"billing_error"}}',
    latencyMs: 1,
    ...(label === undefined ? {} : { label }),
  }
  return { run, outcome: outcomeOf(run, []) }
}

const LAMP = entry("The lamp\n\n  arrived broken.", "wants_refund")
const PARCEL = entry("Where is my parcel?", "is_late", "Before the fix")

test("a run is named by the first words of its state, in one line", () => {
  expect(firstWords(LAMP)).toBe("The lamp arrived broken.")
  expect(firstWords(entry("word ".repeat(1_000), "q"))).toHaveLength(120)
})

test.each([
  ["", [LAMP, PARCEL]],
  ["LAMP", [LAMP]],
  ["is_late", [PARCEL]],
  ["parcel fix", [PARCEL]],
  ["parcel lamp", []],
  ["insufficient_balance", [LAMP, PARCEL]],
])("the search %j finds runs by state, question, label and refusal", (search, found) => {
  expect(searchRuns([LAMP, PARCEL], search)).toEqual(found)
})
