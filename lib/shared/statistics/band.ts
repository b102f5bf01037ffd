import { allowedErrors, RISK, upperBound } from "./binomial"
import type { Forecasts } from "./forecasts"

/**
 * Turns a probability of yes into an action: "no" below `low`, "yes" from `high` up, review in between. Null: this action is
 * never automatic.
 */
export interface DecisionBand {
  low: number | null
  high: number | null
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
  /** The probability of the last row below and the first row above, or ∓Infinity at the ends. */
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

/** Returns `low` for a cut: rows below it are answered "no". Null at the lowest cut, which has none. */
const lowAt = ({ below, last, first }: Cut): number | null => (below === 0 ? null : separator(last, Math.min(first, 1)))
/** Returns `high` for a cut: rows above it are answered "yes". Null at the highest cut, which has none. */
const highAt = ({ last, first }: Cut): number | null =>
  first === Infinity ? null : separator(Math.max(last, 0), first)

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
  let best: DecisionBand & { cost: number } = { cost: Infinity, low: null, high: null }
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
  // One cut between the rows leaves none of them to review: both thresholds are the same number.
  const isWhole = lowCut === highCut && low !== null && highCut.first !== Infinity
  return { low, high: isWhole ? low : highAt(highCut) }
}

/** The rows on one side of a cut that become automatic. */
interface Side {
  cut: Cut
  count: number
  errors: number
}

interface Pair {
  low: Side
  high: Side
}

/** The candidates for both thresholds, computed once for every target. */
interface Sides {
  rows: number
  /** For each number of errors, the side with the most rows. Fewest errors first. */
  lows: Side[]
  highs: Side[]
  /** The single threshold that decides every row with the fewest errors. */
  whole: Pair | null
}

const errorsOf = ({ low, high }: Pair): number => low.errors + high.errors

function sidesOf(forecasts: Forecasts): Sides {
  const rows = forecasts.isYes.length
  const cuts = cutsOf(forecasts)
  const yes = cuts.at(-1)?.yesBelow ?? 0
  const lowOf = (cut: Cut): Side => ({ cut, count: cut.below, errors: cut.yesBelow })
  const highOf = (cut: Cut): Side => {
    const count = rows - cut.below
    return { cut, count, errors: count - (yes - cut.yesBelow) }
  }
  const longest = (sides: Side[]) => sides.filter(({ errors }, at) => errors !== sides[at + 1]?.errors)
  const usable = cuts.filter(canBeNo)
  const whole = usable.reduce<Pair | null>((best, cut) => {
    const pair = { low: lowOf(cut), high: highOf(cut) }
    return best && errorsOf(best) <= errorsOf(pair) ? best : pair
  }, null)
  return { rows, lows: longest(usable.map(lowOf)), highs: longest(cuts.toReversed().map(highOf)), whole }
}

function widestPair({ rows, lows, highs, whole }: Sides, target: number, risk: number): DecisionBand | null {
  const allowed = allowedErrors(rows, target, risk)
  const maxErrors = allowed[rows] ?? -1
  if (whole && errorsOf(whole) <= maxErrors) return bandOf(whole.low.cut, whole.high.cut)
  const shortHighs = highs.filter(({ errors }) => errors <= maxErrors)
  let best: (Pair & { count: number }) | null = null
  for (const low of lows) {
    if (low.errors > maxErrors) break
    // Sides with fewer errors have fewer rows, so the first pair that passes is the best for this `low`. The loop stops at the first
    // pair with fewer rows than the best so far.
    for (let at = shortHighs.findLastIndex(({ errors }) => low.errors + errors <= maxErrors); at >= 0; at--) {
      const high = shortHighs[at]
      if (!high) break
      const count = low.count + high.count
      if (count < (best?.count ?? 1)) break
      if (count > rows || low.errors + high.errors > (allowed[count] ?? -1)) continue
      if (!best || count > best.count || low.errors + high.errors < errorsOf(best)) best = { low, high, count }
      break
    }
  }
  return best && bandOf(best.low.cut, best.high.cut)
}

/**
 * Returns the band that decides the most rows, or null when no band is good enough. A band is good enough when the upper bound of
 * its error (`upperBound` at `risk`) is at most `target` on these rows. Of equal bands, it returns the one with the fewest errors.
 */
export const widestBand = (forecasts: Forecasts, target: number, risk = RISK): DecisionBand | null =>
  widestPair(sidesOf(forecasts), target, risk)

/** Returns `widestBand` for many targets and risks over the same rows. */
export function bandChooser(forecasts: Forecasts): (target: number, risk: number) => DecisionBand | null {
  const sides = sidesOf(forecasts)
  return (target, risk) => widestPair(sides, target, risk)
}

/** What a band does with a set of rows. */
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
  /**
   * An upper bound (95% confidence) on the share of wrong automatic answers; 1 without automatic answers. Valid only on rows that did
   * not choose the band.
   */
  errorBound: number
}

/** Counts what a band does with these rows. */
export function checkBand({ probabilities, isYes }: Forecasts, { low, high }: DecisionBand): BandCheck {
  const count = { yes: 0, falseYes: 0, no: 0, falseNo: 0 }
  for (let at = 0; at < isYes.length; at++) {
    const p = probabilities[at] ?? 0
    if (high !== null && p >= high) {
      count.yes++
      if (!isYes[at]) count.falseYes++
    } else if (low !== null && p < low) {
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
