import type { PoolClient } from "pg"
import { UserDeleted } from "@/lib/server/accounts/create-account"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Joining, SignInEnded } from "@/lib/server/auth/joining"
import type { Person } from "@/lib/server/auth/oidc/provider"
import type { ProviderActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { addMember, lockOpenAccount } from "./add-member"
import { reportRoles, setRole, takeOut } from "./change-members"

const nothing = () => {}

/** Returns the role of the first group in the setting's order that the person is in; null without one. */
const roleOf = ({ env }: Runtime, { groups }: Person): Role | null =>
  [...(env.OIDC_ROLES ?? [])].find(([group]) => groups.includes(group))?.[1] ?? null

const APPLY = `
  UPDATE user_identity SET groups_at = to_timestamp($4)
  WHERE issuer = $1 AND subject = $2 AND user_id = $3 AND (groups_at IS NULL OR groups_at <= to_timestamp($4))`

/** Records whose groups are applied. Throws `SignInEnded` when those of a newer token were, which may have removed the person. */
async function markApplied(client: PoolClient, userId: string, { issuer, subject, issuedAtS }: Person): Promise<void> {
  const { rowCount } = await client.query(APPLY, [issuer, subject, userId, issuedAtS])
  if (!rowCount) throw new SignInEnded()
}

async function changeRole(
  client: PoolClient,
  provider: ProviderActor,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  const card = await setRole(client, provider, userId, role)
  const subject = publicId("usr", userId)
  const facts = { userId: subject, role }
  await reportRoles(client, provider, { kind: "member_role", facts, alsoTo: userId }, card)
  await recordAudit(client, provider, { action: "member.role", subject, detail: role })
}

/**
 * Gives a person who signs in the role of their groups: adds, changes or removes a member of `OIDC_ACCOUNT`. Changes no owner, because
 * the account would change hands without a person. Locks account, user and identity in this order, as a deletion of the user does.
 */
export const createFollowGroups =
  (getRuntime: () => Runtime): Joining["followGroups"] =>
  async (client, { userId, person }) => {
    const runtime = getRuntime()
    const { OIDC_ACCOUNT: accountId } = runtime.env
    if (accountId === undefined) return nothing
    if (!(await lockOpenAccount(client, accountId))) {
      runtime.log.warn("The account of OIDC_ACCOUNT is closed", { event: "sign_in.account_closed" })
      return nothing
    }
    const user = await client.query("SELECT FROM app_user WHERE id = $1 AND erased_at IS NULL FOR UPDATE", [userId])
    if (!user.rowCount) throw new UserDeleted()
    await markApplied(client, userId, person)
    const { rows } = await client.query<Row<"Member", "role">>(
      "SELECT role FROM member WHERE account_id = $1 AND user_id = $2",
      [accountId, userId],
    )
    const before = rows[0]?.role ?? null
    const role = roleOf(runtime, person)
    const provider: ProviderActor = { type: "provider", accountId, clientAddress: null }
    if (before === role || before === "owner") return nothing
    if (role === null) return takeOut(runtime, client, provider, userId)
    if (before === null) await addMember(client, provider, { userId, role, through: "groups" })
    else await changeRole(client, provider, { userId, role })
    return nothing
  }
