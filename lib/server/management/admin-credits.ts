import { z } from "zod"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { AmountUsd, Note, Reference } from "@/lib/shared/operator/forms"
import { AdminAccount, readAccount } from "./admin-accounts"
import { admin, onAccount } from "./admin-operation"
import type { Operation } from "./operation"

const Body = z.strictObject({
  kind: z.enum(["credit", "debit"]),
  amount_usd: AmountUsd.meta({ description: "An amount above zero, such as `5` or `0.50`." }),
  note: Note.meta({ description: "The reason, which the account sees in its ledger." }),
  reference: Reference.optional().meta({
    description: "Names this entry in the account. The same reference again books nothing, at any time.",
  }),
})
const Result = AdminAccount.pick({ id: true, balance_usd: true, held_usd: true }).extend({
  booked: z.boolean().meta({ description: "False when this reference was booked before." }),
})

/** Credits and debits in the admin API. */
export const CREDIT_OPERATIONS: readonly Operation<OperatorActor>[] = [
  admin({
    tag: "Credits",
    right: "service.finance",
    id: "adjustBalance",
    method: "POST",
    path: "/accounts/{account}/credits",
    summary: "Credit or debit an account",
    description:
      "Writes one entry of the ledger. With a `reference`, a repetition books nothing; with another kind or amount it is `400`. A debit may make the balance negative.",
    verbs: ["ledger/adjust-balance.ts adjustBalance"],
    hasDryRun: true,
    takesKey: true,
    Body,
    Result,
    run: async (call) => {
      const account = await onAccount(call)
      const { kind, amount_usd: amountPico, note, reference } = call.body
      const { isNew } = await adjustBalance(call.runtime, account, { kind, amountPico, note, reference })
      const { id, balance_usd, held_usd } = await readAccount(call.runtime, account.accountId)
      return { id, balance_usd, held_usd, booked: isNew }
    },
  }),
]
