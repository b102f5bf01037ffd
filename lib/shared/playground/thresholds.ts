/**
 * What is done with a probability of yes: "no" below `low`, "yes" from `high` on, "review" between them. Probabilities of
 * different models are not comparable, so a band belongs to the pinned model it was set for.
 */
export interface Band {
  low: number
  high: number
  model: string
}

const isProbability = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1

/** Whether what was kept is a band. */
export function isBand(value: unknown): value is Band {
  if (typeof value !== "object" || value === null) return false
  const { low, high, model }: { [Name in keyof Band]?: unknown } = value
  const isOrdered = isProbability(low) && isProbability(high) && low <= high
  return isOrdered && typeof model === "string" && /^[\w.:-]{1,200}$/.test(model)
}

export type Action = "no" | "review" | "yes"

/** Where the thumbs stand before anybody moved them. */
export const START = { low: 0.3, high: 0.7 } as const

/** What a band makes of a probability of yes. */
export function actionOf(yes: number, { low, high }: { low: number; high: number }): Action {
  if (yes >= high) return "yes"
  return yes < low ? "no" : "review"
}

/** A band with the name of its question, in request order: what an export holds. */
export interface NamedBand extends Band {
  name: string
}
