import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"

/** What an account decided on the spend limits of its new keys. Exact USD texts. */
export interface KeyRules {
  /** The limit that the form for a new key starts with; null for a daily one that the planner suggests. */
  standard: { amountUsd: string; period: "daily" | "lifetime" } | null
  /** The highest limit of a new key; null when it may also have none. */
  maxUsd: string | null
}

export const NO_RULES: KeyRules = { standard: null, maxUsd: null }

const OptionalAmount = z
  .string({ error: "Enter an amount in USD." })
  .trim()
  .refine((text) => text === "" || (parseUsd(text) ?? 0n) > 0n, "Enter an amount in USD above zero, such as 5 or 0.50.")

/** An empty amount sets no default, or no maximum. */
export const SetKeyRulesInput = z
  .strictObject({
    defaultUsd: OptionalAmount,
    defaultPeriod: z.enum(["daily", "lifetime"], { error: "Choose daily or lifetime." }),
    maxUsd: OptionalAmount,
  })
  .refine(
    ({ defaultUsd, maxUsd }) =>
      defaultUsd === "" || maxUsd === "" || (parseUsd(defaultUsd) ?? 0n) <= (parseUsd(maxUsd) ?? 0n),
    { path: ["defaultUsd"], error: "Enter at most the highest limit of a new key." },
  )
export type SetKeyRulesInput = z.output<typeof SetKeyRulesInput>
