import { z } from "zod"

/**
 * What is done with a probability of yes: "no" below `low`, "yes" from `high` on, "review" between them. Probabilities of
 * different models are not comparable, so a band belongs to the pinned model it was set for.
 */
export const Band = z
  .object({
    low: z.number().min(0).max(1),
    high: z.number().min(0).max(1),
    model: z.string().regex(/^[\w.:-]{1,200}$/),
  })
  .refine(({ low, high }) => low <= high)
export type Band = z.infer<typeof Band>

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
