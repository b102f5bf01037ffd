import { beforeAll, expect, it } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { waitsForLock } from "@/test/waits-for-lock"
import { inviteMember, resendInvitation, revokeInvitation } from "./invitations"

beforeAll(async () => {
  await testRuntime()
  runtime().mailer = { send: async () => {}, check: async () => true }
})

const VERBS = {
  inviteMember: (actor: UserActor) => inviteMember(actor, { email: "late@example.com", role: "owner" }),
  resendInvitation: (actor: UserActor, id: string) => resendInvitation(actor, { id }),
  revokeInvitation: (actor: UserActor, id: string) => revokeInvitation(actor, { id }),
}

it.each(Object.entries(VERBS))("%s does nothing for an owner who is removed while it waits", async (_name, verb) => {
  const owner = await signUp()
  const { accountId, userId } = owner
  const { id } = await inviteMember(owner, { email: `${newId()}@example.com`, role: "viewer" })
  const invitations = () =>
    runtime()
      .pool.query("SELECT * FROM invitation WHERE account_id = $1", [accountId])
      .then(({ rows }) => rows)
  const before = await invitations()
  const call = await inTransaction(runtime().pool, async (client) => {
    await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId])
    const result = verb(owner, id).catch(({ code, message }) => [code, message])
    await waitsForLock()
    await client.query("DELETE FROM member WHERE account_id = $1 AND user_id = $2", [accountId, userId])
    return { result }
  })
  expect(await call.result).toEqual(["forbidden", "You are no longer an owner."])
  expect(await invitations()).toEqual(before)
})
