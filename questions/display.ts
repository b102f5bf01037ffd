export interface Share {
  value: number
  /** All digits of the response. */
  exact: string
  /** With one decimal. */
  percent: string
}

/** One number or name of an answer, for comparing two answers. `number` is null for a name. */
export interface Figure {
  label: string
  text: string
  number: number | null
}

/** How a confidence follows from an answer's probabilities. */
export interface Explanation {
  formula: string
  /** The formula with this answer's numbers, rounded to three decimals. */
  steps: string[]
  meaning: string
}

/** Formats a probability with one decimal. Never rounds to "0.0%" or "100.0%". */
export function formatPercent(value: number): string {
  const text = (value * 100).toFixed(1)
  if (value > 0 && text === "0.0") return "<0.1%"
  if (value < 1 && text === "100.0") return ">99.9%"
  return `${text}%`
}

export const toShare = (value: number): Share => ({ value, exact: String(value), percent: formatPercent(value) })

export const toFigure = (label: string, number: number): Figure => ({ label, text: number.toFixed(3), number })

/** Reads an own member of a parsed JSON object, so that names like `constructor` and `__proto__` are data. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Returns a number from 0 to 1, or null for any other value. */
export function probabilityOf(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null
}

/** Returns an answer's confidence and its probabilities in the order of `names`. Null when one is missing or invalid. */
export function readShares(answer: unknown, names: string[]): { probabilities: number[]; confidence: Share } | null {
  const probabilities = names.map((name) => probabilityOf(memberOf(memberOf(answer, "probabilities"), name)))
  const confidence = probabilityOf(memberOf(answer, "confidence"))
  if (confidence === null || !probabilities.every((value) => value !== null)) return null
  return { probabilities, confidence: toShare(confidence) }
}

/** Rounds to three decimals for a worked formula. */
export const roundStep = (value: number): string => String(Math.round(value * 1_000) / 1_000)

/** Rounds like `roundStep`, and shows that a negative result counts as 0. */
export const roundStepAtZero = (value: number): string =>
  roundStep(value).startsWith("-") ? `−${roundStep(-value)}, so 0` : roundStep(value)
