import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"

/** Why automatic top-up is paused. `refused` means that Stripe accepted no payment with this card at all. */
export type PauseReason = "authentication" | "declined" | "refused" | "dispute"

/** Why automatic top-up is not turned on while a dispute is open. */
export const DISPUTE_OPEN = "A payment is disputed. You can turn automatic top-up on again once the dispute is settled."

const AMOUNT = /^\d{1,6}(\.\d{1,2})?$/
const amount = z.string().trim().regex(AMOUNT, "Enter an amount in USD, such as 25 or 12.50.")

/** The terms of automatic top-up. All amounts are in USD with whole cents, without tax. */
export const AutoTopupInput = z
  .object({
    /** The card is charged when the balance is at this amount or below. */
    thresholdUsd: amount,
    amountUsd: amount.refine((text) => (parseUsd(text) ?? 0n) > 0n, "Enter an amount above zero."),
    /** The maximum charge of a UTC month. */
    capUsd: amount,
  })
  .refine(({ amountUsd, capUsd }) => (parseUsd(capUsd) ?? 0n) >= (parseUsd(amountUsd) ?? 0n), {
    path: ["capUsd"],
    message: "The monthly maximum must be at least the amount of one top-up.",
  })
export type AutoTopupInput = z.infer<typeof AutoTopupInput>

export const NoInput = z.strictObject({})
