import { describe, expect, test } from "vitest"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import score from "@/lib/shared/statistics/fixture/ref-score-5.json"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import { meanLevel } from "@/questions/probabilities"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"
import { automatableThreshold, CHOICE_RULE, SCORE_RULE } from "../figures/automate-threshold"
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

describe.each(["typescript", "python"] as const)("on the reference sets, an exported test in %s", (language) => {
  /** The answers as the API sends them, found by their row. */
  async function runOn(type: "choice" | "score", set: typeof choice | typeof score, acceptance: Acceptance) {
    const names = type === "choice" ? choice.options : ["0", "1", "2", "3", "4"]
    const api = await scriptedApi("m-1", (state) => {
      const p = set.P[Number(state)] ?? []
      const probabilities = Object.fromEntries(names.map((name, at) => [name, p[at]]))
      const score = type === "score" ? { score: meanLevel(p) } : {}
      return { refund: { type, probabilities, ...score } }
    })
    const input = {
      model: "m-1",
      pinnedId: "m-1",
      questionsJson: "{}",
      outcomes: [names],
      checks: [{ ...acceptance, type }],
      rows: set.y.map((label, at) => ({ line: at + 2, state: JSON.stringify(String(at)), labels: [label] })),
      baseUrl: api.url,
    }
    return await runExportedTest(language, input, "svcd_test")
  }
  const answeredOf = (names: string[], { y, P }: { y: number[]; P: number[][] }) => ({
    names,
    labels: Uint8Array.from(y),
    probabilities: P,
    isCheck: Uint8Array.from(y, (_, row) => row % 2),
  })

  test("judges the rule of each option", async () => {
    const { automation } = automatableThreshold(answeredOf(choice.options, choice), CHOICE_RULE).find({
      ...FIRST_GOAL,
      kind: "options",
      target: 0.1,
    })
    if (!automation) throw new Error("no option reaches the target")
    const acceptance = acceptanceOf("refund", automation, DETAILS)
    expect(acceptance).toMatchObject({
      band: null,
      maxWrongOfOption: 0.1,
      maxWrongOfAutomatic: null,
      minAutomatic: 0.26,
    })
    const { stdout, stderr, code } = await runOn("choice", choice, acceptance)
    expect([stderr, stdout.trim().split("\n"), code]).toEqual([
      "",
      [
        "ok   refund: automatic share is 0.3100, accepted from 0.26",
        "ok   refund: wrong of the automatic abuse is 0.0000, accepted up to 0.1",
        "ok   refund: wrong of the automatic other is 0.0000, accepted up to 0.1",
      ],
      0,
    ])
    // Another option, of which more than a tenth are wrong.
    const options = acceptance.options?.map(([name]): [string, number] => [name, 0])
    const failed = await runOn("choice", choice, { ...acceptance, options })
    expect(failed.stdout).toMatch(/FAIL refund: wrong of the automatic \w+ is 0\.1/)
    expect(failed.code).toBe(1)
  })

  test("judges a score within one level", async () => {
    const { automation } = automatableThreshold(answeredOf(["0", "1", "2", "3", "4"], score), SCORE_RULE).find({
      ...FIRST_GOAL,
      target: 0.05,
    })
    if (!automation) throw new Error("no threshold reaches the target")
    const { stdout, code } = await runOn("score", score, acceptanceOf("refund", automation, DETAILS))
    expect([stdout.trim().split("\n"), code]).toEqual([
      [
        "ok   refund: automatic share is 0.5280, accepted from 0.46",
        "ok   refund: wrong of the automatic is 0.0076, accepted up to 0.05",
      ],
      0,
    ])
  })
})

test("what is accepted keeps its claims, their rows, the risk and the seed", () => {
  expect(accepted(rowsOf(205, 3)).proof).toEqual({
    ...DETAILS,
    rows: 400,
    risk: 0.05,
    seed: 2,
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
