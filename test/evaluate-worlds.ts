import type { DecisionBand } from "@/lib/shared/statistics/band"
import { type Random, seededRandom } from "@/lib/shared/statistics/random"

const SIZE = 20_000
const logit = (p: number) => Math.log(p / (1 - p))
const logistic = (x: number) => 1 / (1 + Math.exp(-x))

/** A population whose error rates are known: equally likely forecasts, lowest first, and the chance that each is right about yes. */
export interface World {
  name: string
  forecasts: Float64Array
  truth: Float64Array
  /** The expected number of yes before each place. */
  yesBefore: Float64Array
}

/** `shape` maps evenly spread numbers between 0 and 1 to forecasts. `truth` also receives that number. */
function world(name: string, shape: (u: number) => number, truth: (p: number, u: number) => number = (p) => p): World {
  const pairs = Array.from({ length: SIZE }, (_, at) => {
    const u = (at + 0.5) / SIZE
    const p = shape(u)
    return { p, truth: truth(p, u) }
  }).sort((a, b) => a.p - b.p)
  const forecasts = Float64Array.from(pairs, ({ p }) => p)
  const truths = Float64Array.from(pairs, (pair) => pair.truth)
  const yesBefore = new Float64Array(SIZE + 1)
  for (let at = 0; at < SIZE; at++) yesBefore[at + 1] = (yesBefore[at] ?? 0) + (truths[at] ?? 0)
  return { name, forecasts, truth: truths, yesBefore }
}

const sharp =
  (spread: number, shift = 0) =>
  (u: number) =>
    logistic(spread * logit(u) + shift)

/** Appendix A of the method: yes/no questions. */
export const YES_NO_WORLDS: readonly World[] = [
  world("calibrated", sharp(4)),
  world("overconfident", sharp(4), (p) => logistic(0.6 * logit(p))),
  world("rare yes", sharp(3, -4)),
  world("one bad side", sharp(4, 1.5), (p) => (p < 0.5 ? Math.max(p, 0.09) : p)),
  world(
    "saturated",
    (u) => (u < 0.3 ? 1 : sharp(2)((u - 0.3) / 0.7)),
    (p, u) => (u < 0.3 ? 0.985 : p),
  ),
  world(
    "two decimals",
    (u) => Math.round(sharp(5)(u) * 100) / 100,
    (p) => 0.01 + 0.98 * p,
  ),
]

/** A choice of five options: the confidence, and the chance that the most likely option is right. */
export const CHOICE_WORLD = world("choice of 5", sharp(3, 1.5), (c) => logistic(0.8 * logit(c) + 0.3))

/** Worlds where surer answers are not always better. `target` is the error rate that they are made around. */
export const unevenWorlds = (target: number): readonly World[] => [
  world(
    "surest fifth worst",
    (u) => 0.5 + u / 2,
    (c) => 1 - (c > 0.9 ? 2 * target : 0.4 * target),
  ),
  world(
    "middle worst",
    (u) => 0.5 + u / 2,
    (c) => 1 - (c > 0.9 ? 0.2 : c > 0.7 ? 2.2 : 0.5) * target,
  ),
  world(
    "flat, just above the target",
    (u) => 0.5 + u / 2,
    () => 1 - 1.001 * target,
  ),
]

/** Draws rows with replacement. */
export function drawRows({ forecasts, truth }: World, rows: number, { below, share }: Random) {
  const at = Uint32Array.from({ length: rows }, () => below(SIZE))
  return {
    probabilities: Float64Array.from(at, (place) => forecasts[place] ?? 0),
    isYes: Uint8Array.from(at, (place) => Number(share() < (truth[place] ?? 0))),
  }
}

/** Returns the share of a world that a band decides, and the true share of errors among these. */
export function trueRates({ forecasts, yesBefore }: World, { low, high }: DecisionBand) {
  const yesOf = (from: number, to: number) => (yesBefore[to] ?? 0) - (yesBefore[from] ?? 0)
  const noRows = low === null ? 0 : firstFrom(forecasts, low)
  const from = high === null ? SIZE : firstFrom(forecasts, high)
  const no = { rows: noRows, wrong: yesOf(0, noRows) }
  const yes = { rows: SIZE - from, wrong: SIZE - from - yesOf(from, SIZE) }
  const rateOf = ({ rows, wrong }: typeof no) => (rows === 0 ? 0 : wrong / rows)
  return {
    automatic: (no.rows + yes.rows) / SIZE,
    error: rateOf({ rows: no.rows + yes.rows, wrong: no.wrong + yes.wrong }),
    yesError: rateOf(yes),
    noError: rateOf(no),
  }
}

/** Returns the place of the first forecast that is at least `value`. */
function firstFrom(forecasts: Float64Array, value: number): number {
  let [low, high] = [0, SIZE]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((forecasts[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

export const worldRandom = (seed: number, rows: number): Random => seededRandom(seed + rows)
