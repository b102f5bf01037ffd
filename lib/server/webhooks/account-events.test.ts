import { expect, test } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { leaveAccount, removeMember } from "@/lib/server/members/change-members"
import { inviteMember } from "@/lib/server/members/invitations"
import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { DEFAULT_EVENTS } from "@/lib/shared/webhooks/events"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { createEndpoint } from "./endpoints"

const runtime = await testRuntime()
const KEY = { name: "Secret project", limit: { amountUsd: "1", period: "daily" as const }, expiresAt: null }

async function newOwner(): Promise<UserActor> {
  const actor = await signUp()
  await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events: DEFAULT_EVENTS })
  return actor
}

/** Returns type and data of the messages that are queued for an account, oldest first. */
async function queuedFor({ accountId }: UserActor): Promise<unknown[]> {
  const { rows } = await runtime.pool.query<{ body: string }>(
    "SELECT body FROM webhook_delivery WHERE account_id = $1 ORDER BY created_at",
    [accountId],
  )
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body)
    return [type, data]
  })
}

test("a key that is created or revoked is reported once, without its name", async () => {
  const actor = await newOwner()
  const account_id = publicId("acc", actor.accountId)
  const { id } = await createKey(runtime, actor, KEY)
  await revokeKey(runtime, actor, { id })
  await revokeKey(runtime, actor, { id })
  expect(await queuedFor(actor)).toEqual([
    ["key.created", { account_id, key_id: id }],
    ["key.revoked", { account_id, key_id: id }],
  ])
})

test("a member who joins, leaves, joins again and is removed is reported each time, without an address", async () => {
  const owner = await newOwner()
  const user = await signUp()
  const account_id = publicId("acc", owner.accountId)
  const user_id = publicId("usr", user.userId)
  const join = async () => {
    const { id } = await inviteMember(runtime, owner, { email: user.email, role: "viewer" })
    await acceptInvitation(runtime, user, { id })
  }
  await join()
  await leaveAccount(runtime, { ...user, accountId: owner.accountId, role: "viewer" })
  await join()
  await removeMember(runtime, owner, { id: user_id })
  expect(await queuedFor(owner)).toEqual([
    ["member.joined", { account_id, user_id, role: "viewer" }],
    ["member.left", { account_id, user_id }],
    ["member.joined", { account_id, user_id, role: "viewer" }],
    ["member.left", { account_id, user_id }],
  ])
})
