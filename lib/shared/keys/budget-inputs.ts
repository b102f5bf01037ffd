import { z } from "zod"
import { checkedTags } from "@/lib/shared/tags/tags"
import { ACCOUNT, TAG } from "./budgets"
import { Amount } from "./schema"

const subject = {
  of: z.string(),
  tag: z.string().trim(),
  period: z.enum(["daily", "monthly"], { error: "Choose daily or monthly." }),
}

export const SetBudgetInput = z
  .strictObject({ ...subject, limitUsd: Amount })
  .refine(({ of, tag }) => of !== TAG || checkedTags([tag]) !== null, {
    path: ["tag"],
    error: "Enter one tag such as team=search.",
  })
  .refine(({ of, period }) => of !== ACCOUNT || period === "monthly", {
    path: ["period"],
    error: "Choose monthly. The balance limits an account within a month.",
  })
  .transform((input) => (input.of === TAG ? input : { ...input, tag: "" }))
export type SetBudgetInput = z.output<typeof SetBudgetInput>

export const RemoveBudgetInput = z.strictObject(subject)
export type RemoveBudgetInput = z.output<typeof RemoveBudgetInput>
