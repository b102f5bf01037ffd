import type { PoolClient } from "pg"
import { isFirstOfMailbox } from "@/lib/server/accounts/past-addresses"
import { domainOf } from "@/lib/server/accounts/sign-up-policy"
import type { Joining } from "@/lib/server/auth/joining"
import { VISITOR } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { addMember, lockOpenAccount } from "./add-member"

const INVITED = `
  SELECT FROM invitation
  WHERE account_id = $1 AND email = $2 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now() LIMIT 1`

/**
 * Makes a new user a member of the account of the address's domain. Not for a mailbox that had a user: someone whom an owner removed could
 * otherwise come back by deleting the user, or with another text after a `+`. Nor for an address with an open invitation to the account,
 * which may offer another role.
 */
export const createJoinByDomain =
  (getRuntime: () => Runtime): Joining["joinByDomain"] =>
  async (client: PoolClient, { userId, email, clientAddress }) => {
    const runtime = getRuntime()
    const tied = runtime.env.SIGN_UP_ACCOUNTS.get(domainOf(email))
    if (!tied || !(await isFirstOfMailbox(runtime, client, { userId, email }))) return
    const { accountId, role } = tied
    if (!(await lockOpenAccount(client, accountId))) {
      runtime.log.warn("An account of SIGN_UP_ACCOUNTS is closed", { event: "sign_in.account_closed" })
      return
    }
    if ((await client.query(INVITED, [accountId, email])).rowCount) return
    await addMember(client, { ...VISITOR, accountId, userId, clientAddress }, { userId, role, through: "domain" })
  }
