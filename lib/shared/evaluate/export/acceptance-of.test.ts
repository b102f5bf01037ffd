import { expect, test } from "vitest"
import type { Answered } from "@/lib/shared/evaluate/figures/evaluation-figures"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"
import { automatableBand, FIRST_GOAL } from "../figures/automation"
import { acceptanceOf, shareWithRoom } from "./acceptance-of"

/** A half of 200 rows. The first ones are a sure yes, `wrong` of them wrongly. The rest is undecided. */
function half(sure: number, wrong = 0): Answered {
  return {
    names: ["no", "yes"],
    labels: Uint8Array.from({ length: 200 }, (_, row) => (row < sure ? Number(row >= wrong) : row % 2)),
    probabilities: Array.from({ length: 200 }, (_, row) => (row < sure ? [0.1, 0.9] : [0.5, 0.5])),
  }
}

function accepted(choose: Answered, check: Answered) {
  const automation = automatableBand(choose, check).automate({ ...FIRST_GOAL, target: 0.1 })
  if (!automation) throw new Error("no band reaches the target")
  return acceptanceOf("refund", automation)
}

test("an exported test passes on the very answers that were accepted, also with more of them in the checking half", async () => {
  const halves = [half(100), half(105)] as const
  const acceptance = accepted(...halves)
  // 205 of 400 are 51.3%. Their interval begins at 46.4%.
  expect(acceptance).toMatchObject({ band: { low: 0, high: 0.7 }, minAutomatic: 0.46 })
  const cases = halves.flatMap(({ labels, probabilities }) =>
    [...labels].map((label, row) => ({ label, yes: probabilities[row]?.[1] ?? 0 })),
  )
  const api = await scriptedApi("m-1", (state) => ({ refund: { type: "noul", noul: Number(state) } }))
  const input = {
    model: "m-1",
    pinnedId: "m-1",
    questionsJson: '{"refund":{"type":"noul","instructions":"Refund?"}}',
    outcomes: [["no", "yes"]],
    checks: [{ ...acceptance, type: "noul" as const }],
    rows: cases.map(({ label, yes }, at) => ({ line: at + 2, state: JSON.stringify(String(yes)), labels: [label] })),
    baseUrl: api.url,
  }
  const { code, stdout } = await runExportedTest("typescript", input, "svcd_test")
  expect(stdout.trim().split("\n")).toEqual([
    "ok   refund: automatic share is 0.5125, accepted from 0.46",
    expect.stringMatching(/^ok {3}refund: wrong of the automatic is 0\.0000, accepted up to 0\.02/),
  ])
  expect(code).toBe(0)
})

test("the accepted share of mistakes is one that both halves together meet with room for chance", () => {
  expect(accepted(half(100), half(105)).maxWrongOfAutomatic).toBeCloseTo(0.0281, 4)
  // The checking half alone states at most 1.5%, but 9 of all 400 are wrong: 2.3%.
  expect(accepted(half(200, 9), half(200)).maxWrongOfAutomatic).toBeCloseTo(0.0389, 4)
  // No row of the checking half is automatic, but 100 of the other half are.
  expect(accepted(half(100), half(0)).maxWrongOfAutomatic).toBeGreaterThan(0)
})

test("a share of 100% leaves room for chance, more with fewer rows", () => {
  expect([1, 10, 1_000].map((rows) => shareWithRoom(rows, rows))).toEqual([0.2, 0.72, 0.99])
  expect(shareWithRoom(0, 10)).toBe(0)
})
