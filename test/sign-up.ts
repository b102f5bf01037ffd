import { createAccount, VISITOR } from "@/lib/server/accounts/create-account"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"

/** Creates an account and returns its owner, who signed in just now. */
export async function signUp(
  email = `${newId()}@example.com`,
  clientAddress: string | null = null,
): Promise<UserActor> {
  const { accountId, userId } = await createAccount(VISITOR, { email })
  return {
    type: "user",
    accountId,
    userId,
    sessionId: newId(),
    confirmedAtMs: Date.now(),
    email,
    role: "owner",
    clientAddress,
  }
}
