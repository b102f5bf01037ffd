import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"

/** `before` is the cursor `next` of the previous page. */
export const ListEntriesInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})
export type ListEntriesInput = z.infer<typeof ListEntriesInput>

/**
 * `attempt` is created with the page, so that a form submitted twice makes one purchase. `amountUsd` has whole cents.
 */
export const StartTopupInput = z.object({
  attempt: z.uuid(),
  amountUsd: z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, "Enter an amount in USD, such as 25 or 12.50.")
    .refine((text) => (parseUsd(text) ?? 0n) > 0n, "Enter an amount above zero."),
})
export type StartTopupInput = z.infer<typeof StartTopupInput>

/** A top-up by its public id, `top_…`. */
export const TopupInput = z.object({ id: z.string().max(40) })
export type TopupInput = z.infer<typeof TopupInput>
