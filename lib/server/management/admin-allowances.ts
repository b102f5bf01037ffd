import { z } from "zod"
import { endAllowance, listAllowances, setAllowance } from "@/lib/server/accounts/allowance-rules"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { ALLOWANCE_PER_NAMES } from "@/lib/shared/operator/allowance-per"
import { AllowanceTarget } from "@/lib/shared/operator/allowances"
import { AmountUsd } from "@/lib/shared/operator/forms"
import { Done, Id, Usd } from "./admin-fields"
import { admin } from "./admin-operation"
import type { Operation } from "./operation"

/** The allowances in the admin API. */
export const ALLOWANCE_OPERATIONS: readonly Operation<OperatorActor>[] = [
  admin({
    tag: "Allowances",
    right: "service.read",
    id: "listAllowances",
    method: "GET",
    path: "/allowances",
    summary: "List allowances",
    verbs: ["accounts/allowance-rules.ts listAllowances"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: Id("alw", "The allowance's public id."),
          target: z.string().meta({ description: "A domain, or an account." }),
          per: z.enum(ALLOWANCE_PER_NAMES),
          amount_usd: Usd("What it credits each month."),
          carries_over: z.boolean(),
          granted_usd: Usd("What it credited this month."),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listAllowances(runtime, actor)).map(({ id, target, per, amountUsd, carriesOver, grantedUsd }) => ({
        id,
        target,
        per,
        amount_usd: amountUsd,
        carries_over: carriesOver,
        granted_usd: grantedUsd,
      })),
    }),
  }),
  admin({
    tag: "Allowances",
    right: "service.finance",
    id: "setAllowance",
    method: "PUT",
    path: "/allowances",
    summary: "Set an allowance",
    description:
      "Credits an amount each month to a domain's accounts or members, or to one account. Repeating changes nothing.",
    verbs: ["accounts/allowance-rules.ts setAllowance"],
    Body: z.strictObject({
      target: AllowanceTarget,
      per: z.enum(ALLOWANCE_PER_NAMES).default("account"),
      amount_usd: AmountUsd,
      carries_over: z.boolean().default(false),
    }),
    Result: Done,
    run: async ({ runtime, actor, body: { target, per, amount_usd: amountPico, carries_over: carriesOver } }) =>
      setAllowance(runtime, actor, { target, per, amountPico, carriesOver }),
  }),
  admin({
    tag: "Allowances",
    right: "service.finance",
    id: "endAllowance",
    method: "DELETE",
    path: "/allowances/{allowance}",
    summary: "End an allowance",
    verbs: ["accounts/allowance-rules.ts endAllowance"],
    Result: Done,
    run: async ({ runtime, actor, ids: { allowance: id = "" } }) => endAllowance(runtime, actor, { id }),
  }),
]
