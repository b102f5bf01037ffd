import { countOf, formatCount } from "@/lib/shared/format"
import { RISK } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, checkThreshold, coverageCurve } from "@/lib/shared/statistics/coverage"
import { symmetricConfidences } from "@/lib/shared/statistics/sides"
import { benjaminiHochberg, fisherGreater } from "@/lib/shared/statistics/slices"
import type { Scale } from "@/questions/question-type"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import type { Columns, DataRow, EvaluationSet } from "../rows/evaluation-set"
import { MAX_VALUE, sliceReader } from "../rows/slice-reader"
import { optionClaims } from "./automate-options"
import { formatBound, type Goal, goalOf, ONE_TARGET, type OptionClaim, rowsNeeded } from "./automation"
import { type Confidences, topConfidences, withinConfidences } from "./confidences"
import type { Answered } from "./evaluation-figures"
import type { JudgedRow } from "./judged-rows"

/** With fewer rows, a value is no slice. */
export const MIN_SLICE_ROWS = 20
/** The share of the slices called worse that may be called so by chance. */
const MOST_FALSE = 0.1

/** The rows with one value of a column. */
export interface Slice {
  value: string
  rows: number
  wrong: number
  /** How surely it is wrong more often than all other rows (`benjaminiHochberg` over all slices). */
  q: number
  isWorse: boolean
  /** What is proved for these rows by themselves, from their own threshold up. Null without a target. */
  claim: OptionClaim | null
}

export interface Slices {
  scale: Scale
  /** The smallest q first, then the highest share of wrong answers. */
  slices: Slice[]
  /** The rows in no slice: their value is rare or missing. */
  others: number
  target: number | null
  /** The lowest threshold at which the target holds in every slice. Null when there is none. */
  everywhere: { from: number; automatic: number; wrong: number } | null
}

/** Scores are wrong when they are more than one level off, as in their claim. */
const CONFIDENCES: Record<Scale, (answered: Answered) => Confidences> = {
  binary: ({ labels, probabilities }) =>
    symmetricConfidences({ probabilities: Float64Array.from(probabilities, ([, yes = 0]) => yes), isYes: labels }),
  nominal: topConfidences,
  ordinal: withinConfidences,
}

/** Returns the target for all automatic answers; null for costs. For two sides it is the higher target, which both keep together. */
export function pooledTarget({ kind, target, targets }: Goal): number | null {
  if (kind === "costs") return null
  return kind === "sides" ? Math.max(targets.yes, targets.no) : target
}

const totals = (curve: readonly CoveragePoint[]) => ({
  rows: curve.at(-1)?.decided ?? 0,
  wrong: curve.at(-1)?.wrong ?? 0,
})

/** Returns the positions of the rows with each value. */
function groupByValue(rows: readonly JudgedRow[], readValue: (row: JudgedRow) => string | null) {
  const groups = new Map<string, number[]>()
  for (const [at, row] of rows.entries()) {
    const value = readValue(row)
    if (value === null) continue
    const group = groups.get(value)
    if (group) group.push(at)
    else groups.set(value, [at])
  }
  return groups
}

/** Compares the rows of each value with all other rows, and finds what is proved for each. All claims hold together. */
export function findSlices(
  scale: Scale,
  { names, rows }: { names: readonly string[]; rows: readonly JudgedRow[] },
  readValue: (row: JudgedRow) => string | null,
  target: number | null,
): Slices {
  // Read once for all slices: a set may have 20,000 rows and 200 options.
  const { confidences, isRight } = CONFIDENCES[scale]({
    names,
    labels: Uint8Array.from(rows, ({ label }) => label),
    probabilities: rows.map(({ probabilities }) => probabilities),
  })
  const curve = (of: readonly number[]) =>
    coverageCurve(
      of.map((at) => confidences[at] ?? 0),
      of.map((at) => isRight[at] ?? 0),
    )
  const curves = [...groupByValue(rows, readValue)].flatMap(([option, of]) =>
    of.length < MIN_SLICE_ROWS ? [] : [{ option, curve: curve(of) }],
  )
  const all = { rows: rows.length, wrong: isRight.reduce((sum, right) => sum + 1 - right, 0) }
  const counts = curves.map((each) => totals(each.curve))
  const qValues = benjaminiHochberg(
    counts.map((slice) => fisherGreater(slice, { rows: all.rows - slice.rows, wrong: all.wrong - slice.wrong })),
  )
  const claims = target === null ? [] : optionClaims(curves, target)
  const slices = curves.map(({ option }, at): Slice => {
    const q = qValues[at] ?? 1
    const { rows: count, wrong } = counts[at] ?? { rows: 0, wrong: 0 }
    return { value: option, rows: count, wrong, q, isWorse: q <= MOST_FALSE, claim: claims[at] ?? null }
  })
  return {
    scale,
    slices: slices.sort((a, b) => a.q - b.q || b.wrong / b.rows - a.wrong / a.rows),
    others: rows.length - counts.reduce((sum, slice) => sum + slice.rows, 0),
    target,
    everywhere: target === null ? null : everywhere(curves, claims, target),
  }
}

/**
 * Returns the strictest threshold of the slices, when every slice's walk has passed it. Each walk holds at every step that it passed,
 * and all hold together.
 */
function everywhere(
  curves: readonly { curve: readonly CoveragePoint[] }[],
  claims: readonly OptionClaim[],
  target: number,
): Slices["everywhere"] {
  const thresholds = claims.flatMap(({ from }) => (from === null ? [] : [from]))
  if (curves.length === 0 || thresholds.length < curves.length) return null
  const from = Math.max(...thresholds)
  const needed = rowsNeeded(target, RISK / curves.length)
  const checked = curves.map(({ curve }) => checkThreshold(curve, from))
  if (checked.some(({ automatic }) => automatic < needed)) return null
  const sum = (of: "automatic" | "wrong") => checked.reduce((total, each) => total + each[of], 0)
  return { from, automatic: sum("automatic"), wrong: sum("wrong") }
}

/** Returns the slices of a set's column; null when no column is chosen. */
export function slicesOf(
  set: Columns & Pick<EvaluationSet, "goals" | "sliceColumn">,
  data: readonly DataRow[],
  question: CheckedQuestion,
  answered: Parameters<typeof findSlices>[1],
): Slices | null {
  if (set.sliceColumn === undefined) return null
  const valueIn = sliceReader(set, set.sliceColumn)
  const target = pooledTarget(goalOf(set.goals, question))
  return findSlices(typeOf(question).scale, answered, ({ row }) => valueIn(data[row]), target)
}

/** Says how the slice differs from all other rows. */
export const restText = ({ q, isWorse }: Slice): string =>
  `${isWorse ? "Wrong more often" : "Not clearly worse"} (q ${q < 0.001 ? "below 0.001" : `= ${q.toFixed(3)}`})`

/** Says from which probability on the answers of a slice can be automatic, or why they cannot. */
export function sliceClaimText({ claim }: Slice): string {
  if (claim === null) return "–"
  if (claim.fault === "few") return "Not enough rows"
  if (claim.from === null) return "The surest are wrong too often"
  const counts = `${formatCount(claim.automatic)} rows, ${formatCount(claim.wrong)} wrong`
  return claim.from === 0 ? `All ${counts}` : `From ${claim.from}: ${counts}`
}

/** Explains what a mark against the rest means. */
export const WORSE_MEANS =
  "“Wrong more often” comes from Fisher’s exact test against all other rows, one-sided. Of the values marked so, about one in ten at most is marked by chance (Benjamini–Hochberg, q ≤ 0.10)."

/** What a claim is about, what makes it wrong, and of what the probability of its threshold is. */
const CLAIMS: Record<Scale, { answers: string; are: string; of: string }> = {
  binary: { answers: "automatic answers", are: "wrong", of: "the more likely answer" },
  nominal: { answers: "automatic answers", are: "wrong", of: "the most likely option" },
  ordinal: {
    answers: "automatic scores",
    are: "more than one level off",
    of: "the rounded score and the levels next to it together",
  },
}

/** What counts as wrong in slices of a score. */
export const SCORE_IS_WRONG = "A score is wrong when it is more than one level off."

/** Says in which slices the target holds, and on which condition. */
export function sliceClaimsText({ scale, slices, target, everywhere, others }: Slices): string[] {
  const shown = slices.filter(({ claim }) => claim?.fault === null).length
  const rest =
    others > 0
      ? [
          `${countOf(others, "row")} ${others === 1 ? "has" : "have"} no value, one with fewer than ${MIN_SLICE_ROWS} rows or one longer than ${MAX_VALUE} characters. No claim is about ${others === 1 ? "it" : "them"}.`,
        ]
      : []
  if (target === null || slices.length === 0) return rest
  const { answers, are, of } = CLAIMS[scale]
  const claim = `At most ${formatBound(target)} of the ${answers} are ${are}`
  const condition = `Each probability is that of ${of}. ${ONE_TARGET}`
  const together = "95% confidence, for all of these together"
  if (shown === 0) return ["The target is not shown for any value by itself.", ...rest]
  if (shown < slices.length)
    return [
      `${claim} in ${shown} of ${slices.length} values, each from its own probability up (${together}).`,
      condition,
      ...rest,
    ]
  return [
    `${claim} in every value of the table, each from its own probability up (${together}).`,
    everywhere
      ? `With one threshold for all, it holds in every value from ${everywhere.from} up: ${formatCount(everywhere.automatic)} rows are automatic then, and ${formatCount(everywhere.wrong)} of them ${everywhere.wrong === 1 ? "is" : "are"} ${are}.`
      : "No single threshold holds in every value: the one that the strictest value needs leaves too few rows of another.",
    condition,
    ...rest,
  ]
}

/** The condition of slices. It goes wherever their claims go. */
export const ONE_COLUMN =
  "Each column that you try is another test on the same rows. Confirm what you find with rows that were not used here."
