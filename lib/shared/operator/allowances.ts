import { z } from "zod"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { ALLOWANCE_PER_NAMES } from "./allowance-per"
import { AmountUsd } from "./forms"

/** A domain such as `example.com`, or an account by its public id, `acc_…`. */
export const AllowanceTarget = z
  .string()
  .max(200)
  .transform((text) => text.trim().toLowerCase())
  .refine(
    (text) => /^acc_[0-9a-z]{26}$/.test(text) || parseEmailAddress(`a@${text}`) === `a@${text}`,
    "Enter a domain such as example.com, or the id of an account.",
  )

export const SetAllowanceForm = z.strictObject({
  target: AllowanceTarget,
  per: z.enum(ALLOWANCE_PER_NAMES, { error: "Choose whom it is for." }),
  amountUsd: AmountUsd,
  carriesOver: z.boolean(),
})

/** A rule by its public id, `alw_…`. */
export const OneAllowance = z.strictObject({ id: z.string().max(40) })
