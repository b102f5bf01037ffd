import { createAccount } from "@/lib/server/accounts/create-account"
import { type UserActor, VISITOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"

/** Returns an owner of the account who signed in just now. The account has no such user. */
export const ownerOf = (accountId: string): UserActor => ({
  type: "user",
  accountId,
  userId: newId(),
  sessionId: newId(),
  confirmedAtMs: Date.now(),
  email: "owner@example.com",
  role: "owner",
  clientAddress: null,
})

/** Creates an account and returns its owner, who signed in just now. */
export async function signUp(
  email = `${newId()}@example.com`,
  clientAddress: string | null = null,
): Promise<UserActor> {
  const { accountId, userId } = await createAccount(runtime(), { ...VISITOR, clientAddress }, { email })
  return { ...ownerOf(accountId), userId, email, clientAddress }
}
