import { describe, expect, test } from "vitest"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import sharp from "@/lib/shared/statistics/fixture/ref-noul-sharp.json"
import ties from "@/lib/shared/statistics/fixture/ref-noul-ties.json"
import score from "@/lib/shared/statistics/fixture/ref-score-5.json"
import { stratifiedHalves } from "@/lib/shared/statistics/halves"
import { lastOf } from "@/test/last-of"
import type { SplitAnswers } from "./answered-rows"
import { automatableThreshold, CHOICE_RULE, SCORE_RULE } from "./automate-threshold"
import { automatableBand } from "./automate-yes-no"
import {
  claimText,
  FIRST_GOAL,
  formatBound,
  type Goal,
  searchReachableGoal,
  statedClaims,
  unprovedText,
} from "./automation"

function answeredOf(names: string[], labels: number[], probabilities: number[][]): SplitAnswers {
  const isCheck = new Uint8Array(labels.length)
  for (const row of stratifiedHalves(labels, 1).check) isCheck[row] = 1
  return { names, labels: Uint8Array.from(labels), probabilities, isCheck }
}
const yesNo = (labels: number[], yes: number[]) =>
  answeredOf(
    ["no", "yes"],
    labels,
    yes.map((p) => [1 - p, p]),
  )
const pooled = (target: number): Goal => ({ ...FIRST_GOAL, target })
const sides = (yes: number, no = yes): Goal => ({ ...FIRST_GOAL, kind: "sides", targets: { yes, no } })

const SHARP = automatableBand(yesNo(sharp.y, sharp.p))
const TIES = automatableBand(yesNo(ties.y, ties.p))

describe("yes/no questions", () => {
  test("have a target per answer, and both thresholds come from all rows", () => {
    const { automation, unproved } = SHARP.find(sides(0.1))
    // The walk ends at 0.5303 and at 0.2764. The thresholds are the shortest numbers before the next row.
    expect(automation?.claims).toEqual([
      { subject: "yes", target: 0.1, method: "walk", automatic: 95, wrong: 2 },
      { subject: "no", target: 0.1, method: "walk", automatic: 89, wrong: 3 },
    ])
    expect(automation?.rule).toBe("Answer yes from 0.5 up and no below 0.3. Review the rows in between.")
    expect(automation?.counts).toMatchObject({ rows: 200, automatic: 184, review: 16, wrong: 5 })
    expect(automation?.mistakes).toBe("2 of 95 automatic yes and 3 of 89 automatic no are wrong.")
    expect(unproved).toEqual([])
  })

  test("state the target, never the bound of the last step", () => {
    const claims = SHARP.find(sides(0.1, 0.05)).automation?.claims ?? []
    expect(claims.map(claimText)).toEqual([
      "At most 10.0% of the automatic yes are wrong (95% confidence).",
      "At most 5.0% of the automatic no are wrong (95% confidence).",
    ])
  })

  test("an answer that is not proved is never automatic, and the reason is given", () => {
    const { automation, unproved } = TIES.find(sides(0.1))
    expect(automation?.band).toEqual({ low: 0.07, high: null })
    expect(automation?.rule).toBe("Answer no below 0.07. Review the rest.")
    expect(unproved).toEqual([{ subject: "yes", target: 0.1, fault: "surest", rows: 226, needed: 36 }])
    expect(unproved.map(unprovedText)[0]).toContain("the surest answers are wrong too often")
  })

  test("have one target for both sides when the user wants that", () => {
    const { automation } = SHARP.find(pooled(0.05))
    expect(automation?.claims).toEqual([{ subject: "all", target: 0.05, method: "walk", automatic: 177, wrong: 3 }])
    expect(TIES.find(pooled(0.1)).automation?.claims[0]).toMatchObject({ automatic: 319, wrong: 20 })
    expect(TIES.find(pooled(0.05)).automation).toBeNull()
  })

  test("fall back to the split when the surest answers are the bad ones, and say so", () => {
    // A tenth of the rows is at exactly 1 and often wrong; the rest is right.
    const rows = Array.from({ length: 1_000 }, (_, row) => ({
      p: row < 60 ? 1 : 0.6 + (row % 300) / 1_000,
      label: row < 60 ? row % 4 && 1 : 1,
    }))
    const nos = Array.from({ length: 400 }, (_, row) => ({ p: (row % 300) / 1_000, label: 0 }))
    const all = [...rows, ...nos]
    const found = automatableBand(
      yesNo(
        all.map(({ label }) => label),
        all.map(({ p }) => p),
      ),
    ).find(sides(0.05))
    expect(found.automation?.claims.map(({ subject, method }) => [subject, method])).toEqual([
      ["yes", "split"],
      ["no", "walk"],
    ])
    expect(claimText({ subject: "yes", target: 0.05, method: "split" })).toBe(
      "At most 5.0% of the automatic yes are wrong (95% confidence, shown on the checking half).",
    )
    expect(found.automation?.halves).not.toBeNull()
  })

  test("with too few rows say how many it takes", () => {
    const { automation, unproved } = SHARP.find(sides(0.02))
    expect(automation).toBeNull()
    expect(unproved.map(unprovedText)).toEqual([
      "Not enough rows to show at most 2.0% of the automatic yes wrong: it takes 183 without any mistake, and there are 95. Label more rows, or raise the target.",
      "Not enough rows to show at most 2.0% of the automatic no wrong: it takes 183 without any mistake, and there are 105. Label more rows, or raise the target.",
    ])
    expect(lastOf(searchReachableGoal(SHARP, sides(0.02)))?.targets).toEqual({ yes: 0.05, no: 0.045 })
  })

  test("by costs, one half chooses and the other half checks", () => {
    const { automation } = SHARP.find({ ...FIRST_GOAL, kind: "costs", costs: { falseYes: 1, falseNo: 1, review: 5 } })
    expect(automation?.counts.review).toBe(0)
    expect(automation?.claims).toEqual([])
    expect(automation?.halves?.checked.rows).toBe(100)
  })
})

const perOption = (target: number): Goal => ({ ...FIRST_GOAL, kind: "options", target })

describe("choices", () => {
  const CHOICE = answeredOf(choice.options, choice.y, choice.P)
  const optionClaimsOf = (target: number) => automatableThreshold(CHOICE, CHOICE_RULE).optionClaims?.(target) ?? []

  test("have one target for the most likely option", () => {
    const find = automatableThreshold(CHOICE, CHOICE_RULE).find
    expect(find(pooled(0.05)).automation?.claims).toEqual([
      { subject: "all", target: 0.05, method: "walk", automatic: 221, wrong: 4 },
    ])
    expect(find(pooled(0.1)).automation).toMatchObject({
      rule: expect.stringMatching(/^Act on the most likely option when its probability is 0\.52\d* or more\./),
      counts: { automatic: 276, wrong: 17 },
    })
  })

  test("have claims of their own for options with enough rows", () => {
    const claims = optionClaimsOf(0.1)
    expect(
      claims.filter(({ from }) => from !== null).map(({ option, automatic, wrong }) => [option, automatic, wrong]),
    ).toEqual([
      ["abuse", 48, 0],
      ["other", 45, 0],
    ])
    expect(optionClaimsOf(0.05).every(({ from }) => from === null)).toBe(true)
  })

  test("have a rule per option, of which all claims hold together", () => {
    const { automation, unproved } = automatableThreshold(CHOICE, CHOICE_RULE).find(perOption(0.1))
    expect(unproved).toEqual([])
    expect(automation?.claims).toEqual([
      { subject: "option", option: "abuse", target: 0.1, method: "walk", automatic: 48, wrong: 0 },
      { subject: "option", option: "other", target: 0.1, method: "walk", automatic: 45, wrong: 0 },
    ])
    expect(automation?.counts).toMatchObject({ rows: 300, automatic: 93, review: 207, wrong: 0 })
    // The shortest numbers between the last automatic row, of 0.7444 and 0.8007, and the next one.
    expect(automation?.options).toEqual([
      ["billing", null],
      ["technical", null],
      ["sales", null],
      ["abuse", 0.7],
      ["other", 0.8],
    ])
    expect(statedClaims(automation?.claims ?? [])).toEqual([
      {
        text: "At most 10.0% of the automatic answers of each of “abuse” and “other” are wrong (95% confidence, for all of these together).",
        evidence: "0 of 93 are wrong.",
        method: "walk",
      },
    ])
  })

  test("without enough rows for any option have no rule per option, and say what it takes", () => {
    const { automation, unproved } = automatableThreshold(CHOICE, CHOICE_RULE).find(perOption(0.05))
    expect(automation).toBeNull()
    // 0.95^90 < 0.05 / 5
    expect(unproved).toEqual([{ subject: "option", target: 0.05, fault: "few", rows: 67, needed: 90 }])
    const { chance } = automatableThreshold(CHOICE, CHOICE_RULE)
    const chances = [300, 900].map((rows) => chance(perOption(0.05), "option", rows))
    // 67 rows of an option cannot pass at all, 201 of them may.
    expect(chances[0]).toBe(0)
    expect(chances[1]).toBeGreaterThan(0.5)
    expect(chances[1]).not.toBe(chance(pooled(0.05), "all", 900))
  })
})

test("scores have a claim of their own: within one level", () => {
  const names = ["0", "1", "2", "3", "4"]
  const find = automatableThreshold(answeredOf(names, score.y, score.P), SCORE_RULE).find
  expect(find(pooled(0.05)).automation?.claims).toEqual([
    { subject: "within", target: 0.05, method: "walk", automatic: 132, wrong: 1 },
  ])
  expect(find(pooled(0.1)).automation?.counts).toMatchObject({ automatic: 250, wrong: 9 })
  expect(claimText({ subject: "within", target: 0.05, method: "walk" })).toBe(
    "At most 5.0% of the automatic scores are more than one level off (95% confidence).",
  )
})

test("a bound is rounded up", () => {
  expect([0.0191, 0.02, 0.020001].map(formatBound)).toEqual(["2.0%", "2.0%", "2.1%"])
})
