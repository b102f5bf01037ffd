import { createAccount } from "@/lib/server/accounts/create-account"
import { type UserActor, VISITOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"

/** Returns when a user who signed in at `atMs` last confirmed each scope. */
export const signedInAt = (atMs: number): UserActor["confirmedAtMs"] => ({
  spending: atMs,
  access: atMs,
  identity: atMs,
  operator: atMs,
})

/** Returns an owner of the account who signed in just now. The account has no such user. */
export const ownerOf = (accountId: string): UserActor => ({
  type: "user",
  accountId,
  userId: newId(),
  sessionId: newId(),
  confirmedAtMs: signedInAt(Date.now()),
  email: "owner@example.com",
  role: "owner",
  operatorRole: null,
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

/** Adds a user, by default a new one, to the account of `owner`. Returns the user as its member. */
export async function joinAccount({ accountId }: UserActor, role: Role, user?: UserActor): Promise<UserActor> {
  const member = user ?? (await signUp())
  const insert = "INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3)"
  await runtime().pool.query(insert, [accountId, member.userId, role])
  return { ...member, accountId, role }
}
