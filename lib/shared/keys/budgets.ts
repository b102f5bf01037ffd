import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"
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

/** Returns the used part of a budget's limit; 1 or more when it is used up. */
export const spentPart = ({ spentUsd, limitUsd }: Budget): number =>
  Number(((parseUsd(spentUsd) ?? 0n) * 1_000n) / (parseUsd(limitUsd) ?? 1n)) / 1_000

/** The value of `of` for the account's own budget. Otherwise it is a member's public id. */
export const ACCOUNT = "account"

export const subjectOf = ({ member }: Budget): string => member?.id ?? ACCOUNT

/** Names what a budget limits, such as "keys of ada@example.com". */
export const nameOfBudget = ({ member }: Budget): string =>
  member ? `keys of ${member.email}${member.isMember ? "" : ", who left"}` : "the account"

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

export const RemoveBudgetInput = z.strictObject(subject)
export type RemoveBudgetInput = z.output<typeof RemoveBudgetInput>
