import { operatorForAccount } from "@/lib/server/accounts/get-account"
import type { AccountOperator, OperatorActor } from "@/lib/server/platform/actor"
import { type Call, type OfAccount, operationsOf } from "./operation"

/** Returns an operation of the admin API. */
export const admin = operationsOf<OperatorActor>()

/** Returns the operator, acting on the account that a path names. Throws `not_found`. */
export const onAccount = ({ runtime, actor, ids }: Call<OperatorActor>): Promise<AccountOperator> =>
  operatorForAccount(runtime, actor, ids.account ?? "")

/** The operations of the admin API on one account. */
export const OF_ACCOUNT: OfAccount<OperatorActor> = { base: "/accounts/{account}", onAccount }
