export interface Interval {
  low: number
  high: number
}

/** The 97.5th percentile of the standard normal distribution. */
const Z_95 = 1.959963984540054

/**
 * Returns the 95% Wilson interval of a share, from 0 to 1, or null without trials.
 *
 * `(p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n)`. Source: Wilson (1927), "Probable inference, the law of
 * succession, and statistical inference". It covers 95% on average. Near 0 it covers less: see `upperBound`.
 */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null
  const share = successes / trials
  const middle = share + Z_95 ** 2 / (2 * trials)
  const margin = Z_95 * Math.sqrt((share * (1 - share)) / trials + Z_95 ** 2 / (4 * trials ** 2))
  const scale = 1 + Z_95 ** 2 / trials
  return {
    low: successes === 0 ? 0 : Math.max(0, (middle - margin) / scale),
    high: successes === trials ? 1 : Math.min(1, (middle + margin) / scale),
  }
}

/** The chance that a one-sided bound is wrong: the true rate is above it. */
export const RISK = 0.05

/**
 * Returns the one-sided Clopper–Pearson bound: the rate above which `errors` or fewer would occur with a probability
 * below `risk`. It exceeds the true rate in at least 1 − `risk` of all samples, at any rate. 1 without trials.
 *
 * The solution for p of `P(X ≤ errors; trials, p) = risk`. Source: Clopper and Pearson (1934), "The use of confidence
 * or fiducial limits illustrated in the case of the binomial".
 */
export function upperBound(errors: number, trials: number, risk = RISK): number {
  if (errors >= trials) return 1
  let low = errors / trials
  let high = 1
  // Each step halves the interval: 50 steps reach the precision of a double.
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (binomialCdf(errors, trials, middle) > risk) low = middle
    else high = middle
  }
  return high
}

/** Returns the smallest number of trials without any error for which `upperBound` is at most `target`: `ln(risk) / ln(1 − target)`. */
export const trialsWithoutError = (target: number, risk = RISK): number =>
  Math.ceil(Math.log(risk) / Math.log1p(-target))

/**
 * Returns a table. At each number of trials from 0 to `trials`, it has the highest number of errors for which `upperBound` is
 * at most `target`. It has -1 when even zero errors are too many.
 *
 * Takes linear time: each row follows from the one before by `F(k; n+1) = F(k; n) − p·f(k; n)` and
 * `F(k+1; n) = F(k; n) + f(k+1; n)`. Here p is `target`, f(k; n) the chance of exactly k errors, and F(k; n) that of at most k.
 */
export function allowedErrors(trials: number, target: number, risk = RISK): Int32Array {
  const allowed = new Int32Array(trials + 1).fill(-1)
  if (target >= 1) return allowed.map((_, count) => count)
  if (target <= 0) return allowed
  let errors = 0
  let mass = 1
  let sum = 1
  for (let count = 1; count <= trials; count++) {
    sum -= target * mass
    mass *= ((1 - target) * count) / (count - errors)
    let next = (mass * (count - errors) * target) / ((errors + 1) * (1 - target))
    while (errors < count && sum + next <= risk) {
      mass = next
      sum += mass
      errors++
      next = (mass * (count - errors) * target) / ((errors + 1) * (1 - target))
    }
    allowed[count] = sum <= risk ? errors : errors - 1
  }
  return allowed
}

/** Returns `P(X ≤ successes)` of a binomial distribution: `I(1−p; n−k, k+1)` (NIST DLMF, 8.17.5). */
export function binomialCdf(successes: number, trials: number, probability: number): number {
  if (successes < 0) return 0
  if (successes >= trials) return 1
  return regularizedBeta(1 - probability, trials - successes, successes + 1)
}

/**
 * Returns `P(X ≤ successes)` of a beta-binomial distribution: the binomial one when its probability itself has a beta distribution
 * with `a` and `b`. Each term follows from the one before.
 */
export function betaBinomialCdf(successes: number, trials: number, a: number, b: number): number {
  if (successes < 0) return 0
  let mass = Math.exp(logGamma(b + trials) - logGamma(a + b + trials) + logGamma(a + b) - logGamma(b))
  let sum = mass
  for (let count = 0; count < Math.min(successes, trials); count++) {
    mass *= ((trials - count) * (a + count)) / ((count + 1) * (b + trials - count - 1))
    sum += mass
  }
  return Math.min(1, sum)
}

const MAX_STEPS = 1_000
const PRECISION = 1e-15
const SMALLEST = 1e-300

/** Returns the regularized incomplete beta function by the continued fraction of NIST DLMF, 8.17.22. */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(1 - x, b, a)
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
  return front * betaFraction(x, a, b)
}

/** Evaluates the fraction by the modified method of Lentz (Thompson and Barnett, 1986). */
function betaFraction(x: number, a: number, b: number): number {
  const nonZero = (value: number) => (Math.abs(value) < SMALLEST ? SMALLEST : value)
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < MAX_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return result
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** Returns the logarithm of the gamma function for `x` ≥ ½. Source: Lanczos (1964), with g = 7 and 9 terms. */
export function logGamma(x: number): number {
  const sum = LANCZOS.reduce((total, factor, index) => total + factor / (x + index), 0.9999999999998099)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/**
 * Returns the 95% interval of a mean of independent values by Student's t, exact for normal values; null for fewer than two.
 * Source: Student (1908), "The probable error of a mean".
 */
export function meanInterval(values: ArrayLike<number>): Interval | null {
  const count = values.length
  if (count < 2) return null
  const list = Array.from(values)
  const mean = list.reduce((sum, value) => sum + value, 0) / count
  const squares = list.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const margin = studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count)
  return { low: mean - margin, high: mean + margin }
}

/** Returns the 97.5th percentile of Student's t: `P(|T| > t) = I(d/(d+t²); d/2, ½)` (NIST DLMF, 8.17), by bisection. */
function studentQuantile(degrees: number): number {
  let [low, high] = [0, 20]
  for (let step = 0; step < 60; step++) {
    const t = (low + high) / 2
    if (regularizedBeta(degrees / (degrees + t * t), degrees / 2, 0.5) > 0.05) low = t
    else high = t
  }
  return (low + high) / 2
}

/**
 * Returns the two-sided p-value of McNemar's exact test: how likely a split at least as uneven is when both runs are
 * equally good. `onlyFirst` and `onlySecond` are the rows that one of the runs alone got right.
 *
 * `min(1, 2·P(X ≤ min(b, c); b + c, ½))`. Source: McNemar (1947); exact form after Edwards (1948).
 */
export const mcnemarExact = (onlyFirst: number, onlySecond: number): number =>
  Math.min(1, 2 * binomialCdf(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond, 0.5))
