import { expect, test } from "vitest"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"
import { automatableBand } from "../figures/automate-yes-no"
import { FIRST_GOAL, type Goal } from "../figures/automation"
import { acceptanceOf, rowsMark, shareWithRoom } from "./acceptance-of"

/** 400 rows. The first ones are a sure yes, `wrong` of them wrongly. The rest is undecided. */
function rowsOf(sure: number, wrong = 0) {
  const labels = Uint8Array.from({ length: 400 }, (_, row) => (row < sure ? Number(row >= wrong) : row % 2))
  const isCheck = new Uint8Array(400)
  for (const row of stratifiedHalves(labels, 1).check) isCheck[row] = 1
  const probabilities = Array.from({ length: 400 }, (_, row) => (row < sure ? [0.1, 0.9] : [0.5, 0.5]))
  return { names: ["no", "yes"], labels, probabilities, isCheck }
}

const DETAILS = { acceptedAt: "2026-11-28T10:00:00.000Z", mark: "m" }

function accepted(
  rows: ReturnType<typeof rowsOf>,
  goal: Goal = { ...FIRST_GOAL, kind: "sides", targets: { yes: 0.05, no: 0.05 } },
) {
  const { automation } = automatableBand(rows).find(goal)
  if (!automation) throw new Error("no band reaches the target")
  return acceptanceOf("refund", automation, DETAILS)
}

test.each(["typescript", "python"] as const)(
  "an exported test in %s passes on the very answers that were accepted",
  async (language) => {
    const rows = rowsOf(205, 3)
    const acceptance = accepted(rows)
    // 205 of 400 are 51.3%. Their interval begins at 46.4%.
    expect(acceptance).toMatchObject({
      band: { low: null, high: 0.7 },
      maxWrongOfYes: 0.05,
      maxWrongOfNo: null,
      minAutomatic: 0.46,
    })
    const cases = [...rows.labels].map((label, row) => ({ label, yes: rows.probabilities[row]?.[1] ?? 0 }))
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
    const { code, stdout } = await runExportedTest(language, input, "svcd_test")
    expect(stdout.trim().split("\n")).toEqual([
      "ok   refund: automatic share is 0.5125, accepted from 0.46",
      "ok   refund: wrong of the automatic yes is 0.0146, accepted up to 0.05",
    ])
    expect(code).toBe(0)
    const stricter = { ...input, checks: [{ ...acceptance, type: "noul" as const, maxWrongOfYes: 0.01 }] }
    const failed = await runExportedTest(language, stricter, "svcd_test")
    expect(failed.stdout).toContain("FAIL refund: wrong of the automatic yes is 0.0146, accepted up to 0.01")
    expect(failed.code).toBe(1)
  },
)

test("what is accepted keeps its claims, their rows, the risk and the seed", () => {
  expect(accepted(rowsOf(205, 3)).proof).toEqual({
    ...DETAILS,
    rows: 400,
    risk: 0.05,
    seed: 1,
    claims: [{ subject: "yes", target: 0.05, method: "walk", automatic: 205, wrong: 3 }],
  })
})

test("after costs, the accepted share of mistakes is one that both halves together meet with room for chance", () => {
  const costs: Goal = { ...FIRST_GOAL, kind: "costs", costs: { falseYes: 10, falseNo: 10, review: 1 } }
  expect(accepted(rowsOf(205, 3), costs).maxWrongOfAutomatic).toBeGreaterThan(0.0373)
})

test("a mark changes with a label and with a row, and with nothing else", () => {
  const row = (at: number, label: number) => ({
    row: at,
    line: at,
    state: "s",
    label,
    isCorrected: false,
    probabilities: [0, 1],
  })
  const mark = (...rows: ReturnType<typeof row>[]) => rowsMark({ rows })
  const before = mark(row(0, 1), row(1, 0))
  expect(mark({ ...row(0, 1), isCorrected: true }, row(1, 0))).toBe(before)
  expect([mark(row(0, 0), row(1, 0)), mark(row(0, 1)), mark(row(0, 1), row(2, 0))]).not.toContain(before)
})

test("a share of 100% leaves room for chance, more with fewer rows", () => {
  expect([1, 10, 1_000].map((rows) => shareWithRoom(rows, rows))).toEqual([0.2, 0.72, 0.99])
  expect(shareWithRoom(0, 10)).toBe(0)
})
