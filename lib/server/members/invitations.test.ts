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

it("an account has at most 100 members and open invitations, and an open one can be sent again then", async () => {
  const owner = await signUp()
  await runtime().pool.query(
    `INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at)
     SELECT gen_random_uuid(), $1, n || '@limit.example', 'viewer', $2, now() + interval '7 days'
     FROM generate_series(1, 98) AS n`,
    [owner.accountId, owner.userId],
  )
  const invite = (email: string) => inviteMember(owner, { email, role: "viewer" })
  const { id } = await invite("last@limit.example")
  expect(await resendInvitation(owner, { id })).toEqual({ id })
  expect(await invite("last@limit.example")).toEqual({ id })
  await expect(invite("over@limit.example")).rejects.toMatchObject({
    code: "rate_limited",
    message: "An account can have 100 members and open invitations. Revoke an invitation first.",
  })
  await revokeInvitation(owner, { id })
  expect(await invite("over@limit.example")).toMatchObject({ id: expect.stringMatching(/^inv_/) })
})
