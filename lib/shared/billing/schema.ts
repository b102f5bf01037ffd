import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"

/** `before` is the `next` of the page before: an entry's number. */
export const ListEntriesInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})
export type ListEntriesInput = z.infer<typeof ListEntriesInput>

/** `attempt` is made once when the page is shown: the same purchase sent twice is one purchase. Whole cents; its bounds are the operator's. */
export const StartTopupInput = z.object({
  attempt: z.uuid(),
  amountUsd: z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, "Enter an amount in USD, such as 25 or 12.50.")
    .refine((text) => (parseUsd(text) ?? 0n) > 0n, "Enter an amount above zero."),
})
export type StartTopupInput = z.infer<typeof StartTopupInput>

/** A top-up as the console names it: `top_…`. */
export const TopupInput = z.object({ id: z.string().max(40) })
export type TopupInput = z.infer<typeof TopupInput>
