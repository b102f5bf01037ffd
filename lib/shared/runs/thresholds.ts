/**
 * Turns a probability of yes into an action: "no" below `low`, "yes" from `high` up, "review" in between. Probabilities of
 * different models are not comparable, so a band belongs to one pinned model.
 */
export interface Band {
  low: number
  high: number
  model: string
}

const isProbability = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1

function isBand(value: unknown): value is Band {
  if (typeof value !== "object" || value === null) return false
  const { low, high, model }: { [Name in keyof Band]?: unknown } = value
  const isOrdered = isProbability(low) && isProbability(high) && low <= high
  return isOrdered && typeof model === "string" && /^[\w.:-]{1,200}$/.test(model)
}

export type Action = "no" | "review" | "yes"

export const DEFAULT_BAND = { low: 0.3, high: 0.7 } as const

export function actionOf(yes: number, { low, high }: { low: number; high: number }): Action {
  if (yes >= high) return "yes"
  return yes < low ? "no" : "review"
}

export interface NamedBand extends Band {
  name: string
}

/** Entries are a list, because a question may be named `__proto__`. */
const isEntry = (value: unknown): value is [name: string, band: Band] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isBand(value[1])

const MAX_STORED_BANDS = 300

/** Reads stored bands by question name. Empty when the value is of another version. */
export const readBands = (stored: unknown): Map<string, Band> =>
  new Map(Array.isArray(stored) && stored.every(isEntry) ? stored : [])

/** Returns the bands to store: the ones changed last. */
export const storableBands = (bands: ReadonlyMap<string, Band>): [string, Band][] => [...bands].slice(-MAX_STORED_BANDS)
