import { requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { DeleteUserInput, OwnedAccount } from "@/lib/shared/accounts/closing"
import { ServiceError } from "@/lib/shared/errors"
import { pico, usd12 } from "@/lib/shared/money"
import { ACCOUNTS, deletePerson, type Membership } from "./delete-person"

/** Returns the accounts, not closed, that have no other owner than the actor. Deleting the actor closes them, or is refused. */
export async function listOwnedAlone({ pool }: Runtime, actor: UserActor): Promise<OwnedAccount[]> {
  requireRight(actor, "account.read")
  const { rows } = await pool.query<Membership>(ACCOUNTS, [actor.userId])
  return rows
    .filter((row) => row.is_last_owner && row.status !== "closed")
    .map((row) => ({
      id: publicId("acc", row.id),
      name: row.shown,
      balanceUsd: usd12(pico(row.balance_pico)),
      others: row.others,
    }))
}

/**
 * Deletes the actor, as `deletePerson` describes. Throws `confirmation_required`, and `invalid_request` for another address than the
 * actor's and for what `deletePerson` refuses.
 */
export async function deleteUser(
  runtime: Runtime,
  actor: UserActor,
  { email }: DeleteUserInput,
): Promise<{ deleted: true }> {
  requireRight(actor, "account.read")
  requireConfirmed(actor, "deleteUser")
  if (email !== actor.email)
    throw new ServiceError("invalid_request", { param: "email", message: "This is not your e-mail address." })
  const { accountId, userId } = actor
  const audit = { action: "user.delete", subject: publicId("usr", userId) } as const
  await deletePerson(runtime, actor, { userId, email, mailIn: accountId }, audit)
  return { deleted: true }
}
