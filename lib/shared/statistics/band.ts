import { allowedErrors, RISK, upperBound } from "./binomial"
import type { Forecasts } from "./forecasts"
import { chooseWithMargin } from "./margin"

/**
 * Turns a probability of yes into an action: "no" below `low`, "yes" from `high` up, review in between. `low` 0 means
 * that "no" is never automatic, `high` Infinity that "yes" never is.
 */
export interface DecisionBand {
  low: number
  high: number
}

/** What the user loses, in any one unit. A right automatic answer costs nothing. */
export interface BandCosts {
  /** An automatic yes whose true answer is no. */
  falseYes: number
  falseNo: number
  /** A row that a person decides. */
  review: number
}

/** A place between two rows where a band can start or end. */
interface Cut {
  /** Rows below the cut, and those of them whose true answer is yes. */
  below: number
  yesBelow: number
  /** The probability of the last row below and the first row above. */
  last: number
  first: number
}

/** Returns the places where the sorted probability changes, lowest first, with both ends. */
function cutsOf({ probabilities, isYes }: Forecasts): Cut[] {
  const cuts: Cut[] = []
  let yesBelow = 0
  for (let at = 0; at <= probabilities.length; at++) {
    const last = at === 0 ? -Infinity : (probabilities[at - 1] ?? 0)
    const first = probabilities[at] ?? Infinity
    if (first > last) cuts.push({ below: at, yesBelow, last, first })
    yesBelow += isYes[at] ?? 0
  }
  return cuts
}

const DIGITS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15]

/** Returns the number with the fewest digits that is above `last` and at most `first`, so that a threshold is easy to read. */
export function separator(last: number, first: number): number {
  for (const digits of DIGITS) {
    const scale = 10 ** digits
    const rounded = Math.round(((last + first) / 2) * scale) / scale
    if (rounded > last && rounded <= first) return rounded
  }
  return first
}

/** Rows below the cut become "no". At the lowest cut, no row does. */
const lowAt = ({ below, last, first }: Cut): number => (below === 0 ? 0 : separator(last, Math.min(first, 1)))
/** Rows above the cut become "yes". At the highest cut, no row does. */
const highAt = ({ last, first }: Cut): number => (first === Infinity ? Infinity : separator(Math.max(last, 0), first))

/** A threshold of 1 cannot turn a probability of 1 into "no". */
const canBeNo = ({ last }: Cut): boolean => last < 1

/**
 * Returns the band with the lowest cost on these rows, and among equals one that leaves more rows to review. Takes
 * linear time: the costs of both sides add up.
 */
export function cheapestBand(forecasts: Forecasts, costs: BandCosts): DecisionBand {
  const cuts = cutsOf(forecasts)
  const rows = forecasts.isYes.length
  const yes = cuts.at(-1)?.yesBelow ?? 0
  let best = { cost: Infinity, low: 0, high: Infinity }
  let cheapestLow = { cost: Infinity, cut: cuts[0] }
  for (const cut of cuts) {
    const lowCost = costs.falseNo * cut.yesBelow - costs.review * cut.below
    if (canBeNo(cut) && lowCost < cheapestLow.cost) cheapestLow = { cost: lowCost, cut }
    const falseYes = rows - cut.below - (yes - cut.yesBelow)
    const cost = cheapestLow.cost + costs.falseYes * falseYes - costs.review * (rows - cut.below)
    if (cheapestLow.cut && cost <= best.cost) best = { cost, ...bandOf(cheapestLow.cut, cut) }
  }
  return { low: best.low, high: best.high }
}

function bandOf(lowCut: Cut, highCut: Cut): DecisionBand {
  const low = lowAt(lowCut)
  // One cut for both sides leaves no row to review, so both thresholds are the same number.
  if (lowCut === highCut && lowCut.below > 0) return { low, high: highCut.first === Infinity ? Math.max(low, 1) : low }
  return { low, high: highAt(highCut) }
}

/**
 * Returns the band that decides the most rows while the upper bound of its error (`upperBound`) stays at or below
 * `target` on these rows, with a `risk` of its own. Among equals, it has the fewest errors. Null when no band is good enough.
 *
 * On each side only the longest stretch for each number of errors matters. All pairs of these stretches are tried.
 */
export function widestBand(forecasts: Forecasts, target: number, risk = RISK): DecisionBand | null {
  const rows = forecasts.isYes.length
  const allowed = allowedErrors(rows, target, risk)
  const most = allowed[rows] ?? -1
  const cuts = cutsOf(forecasts)
  const yes = cuts.at(-1)?.yesBelow ?? 0
  const noSide = (cut: Cut): Side => ({ cut, count: cut.below, errors: cut.yesBelow })
  const yesSide = (cut: Cut): Side => {
    const count = rows - cut.below
    return { cut, count, errors: count - (yes - cut.yesBelow) }
  }
  const lows = longestByErrors(cuts.filter(canBeNo).map(noSide), most)
  const highs = longestByErrors(cuts.toReversed().map(yesSide), most)
  let best: { low: Side; high: Side } | null = wholeRange(cuts.filter(canBeNo), noSide, yesSide, most)
  for (const low of lows)
    for (const high of highs) {
      const errors = low.errors + high.errors
      if (errors > most) break
      const count = low.count + high.count
      if (count > rows || errors > (allowed[count] ?? -1)) continue
      const [bestCount, bestErrors] = best ? totalOf(best) : [0, 0]
      if (count > bestCount || (count === bestCount && errors < bestErrors)) best = { low, high }
    }
  return best ? bandOf(best.low.cut, best.high.cut) : null
}

/** Returns the band to check on other rows: the widest one with a margin (`chooseWithMargin`), or null. */
export const chooseBand = (forecasts: Forecasts, target: number): DecisionBand | null =>
  chooseWithMargin(
    (risk) => widestBand(forecasts, target, risk),
    (band) => checkBand(forecasts, band).automatic,
  )

interface Side {
  cut: Cut
  count: number
  errors: number
}

const totalOf = ({ low, high }: { low: Side; high: Side }): [count: number, errors: number] => [
  low.count + high.count,
  low.errors + high.errors,
]

/** Returns the last of the sides with each number of errors, up to `most`. Sides grow, and so do their errors. */
function longestByErrors(sides: readonly Side[], most: number): Side[] {
  return sides.filter((side, at) => side.errors <= most && side.errors !== sides[at + 1]?.errors)
}

/** Returns the best single threshold that decides every row; null when it makes more than `most` errors. */
function wholeRange(
  cuts: readonly Cut[],
  noSide: (cut: Cut) => Side,
  yesSide: (cut: Cut) => Side,
  most: number,
): { low: Side; high: Side } | null {
  let best: { low: Side; high: Side } | null = null
  for (const cut of cuts) {
    const pair = { low: noSide(cut), high: yesSide(cut) }
    if (totalOf(pair)[1] <= Math.min(most, best ? totalOf(best)[1] - 1 : most)) best = pair
  }
  return best
}

/** How a band did on rows that were not used to choose it. */
export interface BandCheck {
  rows: number
  /** Rows decided without review. */
  automatic: number
  yes: number
  falseYes: number
  no: number
  falseNo: number
  review: number
  wrong: number
  /** The share of wrong automatic answers is at most this, except in 5% of all samples. 1 without automatic answers. */
  errorBound: number
}

/** Counts what a band does. The bound holds only on rows that were not used to choose the band. */
export function checkBand({ probabilities, isYes }: Forecasts, { low, high }: DecisionBand): BandCheck {
  const count = { yes: 0, falseYes: 0, no: 0, falseNo: 0 }
  for (let at = 0; at < isYes.length; at++) {
    const p = probabilities[at] ?? 0
    if (p >= high) {
      count.yes++
      if (!isYes[at]) count.falseYes++
    } else if (p < low) {
      count.no++
      if (isYes[at]) count.falseNo++
    }
  }
  const automatic = count.yes + count.no
  const wrong = count.falseYes + count.falseNo
  const rows = isYes.length
  return { ...count, rows, automatic, review: rows - automatic, wrong, errorBound: upperBound(wrong, automatic) }
}

/** Returns the mean cost of a row. */
export const meanCost = (check: BandCheck, costs: BandCosts): number =>
  (check.falseYes * costs.falseYes + check.falseNo * costs.falseNo + check.review * costs.review) / check.rows
