import { operatorForNamed } from "@/lib/server/accounts/find-account"
import type { AccountOperator } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"

/** What a command says of the argument that `operatorOn` takes. */
export const ACCOUNT =
  "its id, a member's e-mail address (of several accounts that the person owns, the first), or the id of a key, request or payment"

/** Returns the operator, acting on the account that a command names. Throws what `operatorForNamed` throws. */
export const operatorOn = (named: string): Promise<AccountOperator> => operatorForNamed(runtime(), named)
