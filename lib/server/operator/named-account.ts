import { operatorForAccount, operatorForEmail } from "@/lib/server/accounts/get-account"
import { type AccountOperator, OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"

/** What a command says of the argument that `operatorOn` takes. */
export const ACCOUNT = "the account's id, acc_…, or the e-mail address of its owner: of several accounts, the first one"

/**
 * Returns the operator, acting on the account that a command names: by its id, or by the address of a user, of whom the first account
 * that they own is meant. Throws `not_found`.
 */
export const operatorOn = (named: string): Promise<AccountOperator> =>
  named.startsWith("acc_") ? operatorForAccount(runtime(), OPERATOR, named) : operatorForEmail(runtime(), named)
