import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import type { AccountActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"

const REVOKE = `
  UPDATE invitation SET revoked_at = now()
  WHERE account_id = $1 AND invited_by = $2 AND accepted_at IS NULL AND revoked_at IS NULL RETURNING id`

/**
 * Revokes the open invitations to the actor's account that a user sent. For a user who is no longer an owner: an invitation
 * to another of the user's addresses would make the user an owner again. Runs in the transaction of `client`, which must hold
 * the account's lock.
 */
export async function revokeSentInvitations(client: PoolClient, actor: AccountActor, userId: string): Promise<void> {
  const { rows } = await client.query<Row<"Invitation", "id">>(REVOKE, [actor.accountId, userId])
  for (const { id } of rows) {
    const subject = publicId("inv", id)
    await recordAudit(client, actor, { action: "member.revoke", subject })
  }
}
