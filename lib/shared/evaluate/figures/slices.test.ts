import { describe, expect, test } from "vitest"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import ties from "@/lib/shared/statistics/fixture/ref-noul-ties.json"
import score from "@/lib/shared/statistics/fixture/ref-score-5.json"
import { fisherGreater } from "@/lib/shared/statistics/slices"
import { FIRST_GOAL, ONE_TARGET } from "./automation"
import type { JudgedRow } from "./judged-rows"
import { findSlices, pooledTarget, restText, sliceClaimsText, sliceClaimText } from "./slices"

const judged = (labels: readonly number[], probabilities: readonly number[][]) => ({
  rows: labels.map(
    (label, row): JudgedRow => ({
      row,
      line: row + 2,
      state: `"${row}"`,
      label,
      isCorrected: false,
      probabilities: probabilities[row] ?? [],
    }),
  ),
})
const TIES = {
  names: ["no", "yes"],
  ...judged(
    ties.y,
    ties.p.map((yes) => [1 - yes, yes]),
  ),
}
const channel = ({ row }: JudgedRow): string | null => ties.slice[row] ?? null
/** So many rows that are right with this confidence, of one value. */
const sure = (rows: number, yes = 0.99) => new Array<number[]>(rows).fill([1 - yes, yes])
const yesRows = (rows: number) => new Array<number>(rows).fill(1)

describe("the slices of ref-noul-ties", () => {
  const { slices, others } = findSlices("binary", TIES, channel, 0.1)

  test("have the errors, the intervals and the q-values of the reference", () => {
    expect(others).toBe(0)
    expect(slices.map(({ value, wrong, rows, isWorse }) => [value, wrong, rows, isWorse])).toEqual([
      ["phone", 16, 72, true],
      ["web", 27, 214, false],
      ["mail", 9, 114, false],
    ])
    for (const [at, q] of [0.034771, 0.980503, 0.984629].entries()) expect(slices[at]?.q).toBeCloseTo(q, 5.7)
    const intervals = slices.map(({ wrong, rows }) => wilsonInterval(wrong, rows))
    for (const [at, [low, high]] of [
      [0.141674, 0.33091],
      [0.088178, 0.177343],
      [0.042089, 0.143258],
    ].entries()) {
      expect(intervals[at]?.low).toBeCloseTo(low ?? 0, 5.7)
      expect(intervals[at]?.high).toBeCloseTo(high ?? 0, 5.7)
    }
  })

  test("have the p-values of the reference", () => {
    const p = ([wrong, rows]: [number, number]) =>
      fisherGreater({ rows, wrong }, { rows: 400 - rows, wrong: 52 - wrong })
    expect(p([16, 72])).toBeCloseTo(0.01159, 5.7)
    expect(p([27, 214])).toBeCloseTo(0.653669, 5.7)
    expect(p([9, 114])).toBeCloseTo(0.984629, 5.7)
  })
})

describe("claims of slices", () => {
  const rows = (counts: number[]) => {
    const all = counts.flatMap((count, slice) => new Array<number>(count).fill(slice))
    return { of: all, readValue: ({ row }: JudgedRow) => String(all[row]) }
  }

  test("share the risk: each of two slices needs 72 rows without a mistake for 5%, where one alone needs 59", () => {
    for (const [count, isProved] of [
      [71, false],
      [72, true],
    ] as const) {
      const { of, readValue } = rows([count, 100])
      const found = findSlices(
        "binary",
        { names: ["no", "yes"], ...judged(yesRows(of.length), sure(of.length)) },
        readValue,
        0.05,
      )
      const slice = found.slices.find(({ value }) => value === "0")
      expect(slice?.claim).toMatchObject(
        isProved ? { automatic: 72, wrong: 0, fault: null } : { from: null, fault: "few" },
      )
      expect(found.everywhere).toEqual(isProved ? { from: 0, automatic: 172, wrong: 0 } : null)
    }
  })

  test("hold everywhere from the strictest threshold of the slices", () => {
    const { of, readValue } = rows([120, 150])
    const labels = [...yesRows(100), ...new Array<number>(20).fill(0), ...yesRows(150)]
    const probabilities = [...sure(100), ...sure(20, 0.7), ...sure(150, 0.9)]
    const found = findSlices("binary", { names: ["no", "yes"], ...judged(labels, probabilities) }, readValue, 0.05)
    expect(found.slices.map(({ value, claim }) => [value, claim?.from, claim?.automatic])).toEqual([
      ["0", 0.8, 100],
      ["1", 0, 150],
    ])
    expect(found.everywhere).toEqual({ from: 0.8, automatic: 250, wrong: 0 })
    expect(of).toHaveLength(270)
  })

  test("hold nowhere together when the strictest threshold leaves a slice with too few rows", () => {
    const { readValue } = rows([120, 150])
    const labels = [...yesRows(100), ...new Array<number>(20).fill(0), ...yesRows(150)]
    const probabilities = [...sure(100), ...sure(20, 0.97), ...sure(60, 0.99), ...sure(90, 0.9)]
    const found = findSlices("binary", { names: ["no", "yes"], ...judged(labels, probabilities) }, readValue, 0.05)
    expect(found.slices.every(({ claim }) => claim?.fault === null)).toBe(true)
    expect(found.everywhere).toBeNull()
  })

  test("leave out values with fewer than 20 rows and rows without a value, and are none for costs", () => {
    const readValue = ({ row }: JudgedRow) => (row < 20 ? "enough" : row < 39 ? "rare" : null)
    const all = { names: ["no", "yes"], ...judged(yesRows(50), sure(50)) }
    const found = findSlices("binary", all, readValue, null)
    expect(found).toMatchObject({ others: 30, everywhere: null })
    expect(found.slices.map(({ value, claim }) => [value, claim])).toEqual([["enough", null]])
  })

  test("use the target for all answers, the higher of two sides, and none for costs", () => {
    const goal = { ...FIRST_GOAL, target: 0.03, targets: { yes: 0.05, no: 0.1 } }
    const kinds = ["target", "options", "sides", "costs"] as const
    expect(kinds.map((kind) => pooledTarget({ ...goal, kind }))).toEqual([0.03, 0.03, 0.1, null])
  })
})

test("a score is wrong when it is more than one level off", () => {
  const rows = { names: ["0", "1", "2", "3", "4"], ...judged(score.y, score.P) }
  const { slices } = findSlices("ordinal", rows, () => "all", 0.1)
  expect(slices).toMatchObject([{ rows: 250, wrong: 9, q: 1, isWorse: false }])
})

describe("the texts of slices", () => {
  const claim = { option: "web", from: 0.9, fault: null, rows: 100, automatic: 80, wrong: 1 }
  const slice = { value: "web", rows: 100, wrong: 3, q: 0.2, isWorse: false, claim }
  const found = {
    scale: "binary" as const,
    slices: [slice, { ...slice, value: "mail" }],
    others: 0,
    target: 0.05,
    everywhere: null,
  }
  const few = { ...slice, claim: { ...claim, from: null, fault: "few" as const } }

  test("say in how many values the target holds, and from where on it holds in every one", () => {
    const everywhere = { from: 0.95, automatic: 120, wrong: 1 }
    expect(sliceClaimsText({ ...found, everywhere })).toEqual([
      "At most 5.0% of the automatic answers are wrong in every value of the table, each from its own probability up (95% confidence, for all of these together).",
      "With one threshold for all, it holds in every value from 0.95 up: 120 rows are automatic then, and 1 of them is wrong.",
      `Each probability is that of the more likely answer. ${ONE_TARGET}`,
    ])
    expect(sliceClaimsText(found)[1]).toMatch(/^No single threshold holds in every value/)
    expect(sliceClaimsText({ ...found, slices: [slice, few], others: 1 })).toEqual([
      "At most 5.0% of the automatic answers are wrong in 1 of 2 values, each from its own probability up (95% confidence, for all of these together).",
      `Each probability is that of the more likely answer. ${ONE_TARGET}`,
      "1 row has no value, one with fewer than 20 rows or one longer than 200 characters. No claim is about it.",
    ])
    expect(sliceClaimsText({ ...found, target: null })).toEqual([])
  })

  test("say that a claim about scores allows one level, and of what its probability is", () => {
    expect(sliceClaimsText({ ...found, scale: "ordinal" }).join(" ")).toMatch(
      /of the automatic scores are more than one level off in every value.*that of the rounded score and the levels next to it together/,
    )
  })

  test("say what is automatic in a value, or why nothing is", () => {
    const surest = { ...few, claim: { ...few.claim, fault: "surest" as const } }
    const all = { ...slice, claim: { ...claim, from: 0 } }
    expect([slice, all, few, surest, { ...slice, claim: null }].map(sliceClaimText)).toEqual([
      "From 0.9: 80 rows, 1 wrong",
      "All 80 rows, 1 wrong",
      "Not enough rows",
      "The surest are wrong too often",
      "–",
    ])
    expect(restText({ ...slice, q: 0.0004, isWorse: true })).toBe("Wrong more often (q below 0.001)")
  })
})
