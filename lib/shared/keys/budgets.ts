import { z } from "zod"
import { Amount } from "./schema"

/** What an account or the keys of a member may spend in a UTC day or month. Exact USD texts. */
export interface Budget {
  /** Whose keys count: those that this member created, or null for all keys of the account. */
  member: { id: string; email: string; isMember: boolean } | null
  period: "daily" | "monthly"
  limitUsd: string
  spentUsd: string
  resetsAt: string
}

/** The value of `of` for the account's own budget. Otherwise it is a member's public id. */
export const ACCOUNT = "account"

const subject = {
  of: z.string(),
  period: z.enum(["daily", "monthly"], { error: "Choose daily or monthly." }),
}

export const SetBudgetInput = z
  .strictObject({ ...subject, limitUsd: Amount })
  .refine(({ of, period }) => of !== ACCOUNT || period === "monthly", {
    path: ["period"],
    error: "Choose monthly. The balance limits an account within a month.",
  })
export type SetBudgetInput = z.output<typeof SetBudgetInput>
