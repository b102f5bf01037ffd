import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"

export const ENTRY_KINDS = ["charge", "welcome", "credit", "debit", "topup", "refund", "dispute"] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** `before` is the cursor `next` of the previous page. `from` and `to` are UTC days, both included. */
export const ListEntriesInput = z.object({
  kind: z.enum(ENTRY_KINDS).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})
export type ListEntriesInput = z.infer<typeof ListEntriesInput>

/** The id of a Stripe checkout session, which Stripe puts into the address of the page it returns to. */
export const CHECKOUT_SESSION_ID = /^cs_[A-Za-z0-9_]{1,150}$/

export const CheckoutInput = z.strictObject({
  sessionId: z.string().regex(CHECKOUT_SESSION_ID, "This is not the id of a checkout session."),
})
export type CheckoutInput = z.infer<typeof CheckoutInput>

/** A UTC month of the years 2000 to 2099, such as `2026-11`. */
export const MonthInput = z.strictObject({
  month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, "Choose a month such as 2026-11."),
})
export type MonthInput = z.infer<typeof MonthInput>

/**
 * `attempt` is created with the page, so that a form submitted twice makes one purchase. `amountUsd` has whole cents. `saveCard`
 * keeps the card for automatic top-up.
 */
export const StartTopupInput = z.object({
  attempt: z.uuid(),
  amountUsd: z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, "Enter an amount in USD, such as 25 or 12.50.")
    .refine((text) => (parseUsd(text) ?? 0n) > 0n, "Enter an amount above zero."),
  saveCard: z.boolean().default(false),
})
export type StartTopupInput = z.infer<typeof StartTopupInput>

/** The status that a top-up is stored with. */
export type StoredTopupStatus = "created" | "open" | "processing" | "paid" | "failed" | "expired"

/** `attention`: Stripe reports a completed checkout that the service cannot credit, until the operator has settled or ended it. */
export type TopupStatus = StoredTopupStatus | "attention" | "settled" | "ended"

/** A top-up by its public id, `top_…`. */
export const TopupInput = z.object({ id: z.string().max(40) })
export type TopupInput = z.infer<typeof TopupInput>
