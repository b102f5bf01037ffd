import { expect, it, vi } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { createKey } from "@/lib/server/keys/create-key"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { handOver } from "@/test/hand-over"
import { keepMails } from "@/test/keep-mails"
import { joinAccount, signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { acceptInvitation } from "./accept-invitation"
import { changeRole, leaveAccount, removeMember } from "./change-members"
import { listCreations } from "./creations"
import { inviteMember, resendInvitation, revokeInvitation } from "./invitations"
import { listInvitations } from "./list-members"

await testRuntime()
keepMails()

const VERBS = {
  inviteMember: (actor: UserActor) => inviteMember(runtime(), actor, { email: "late@example.com", role: "owner" }),
  resendInvitation: (actor: UserActor, id: string) => resendInvitation(runtime(), actor, { id }),
  revokeInvitation: (actor: UserActor, id: string) => revokeInvitation(runtime(), actor, { id }),
}

it.each(Object.entries(VERBS))("%s does nothing for an owner who is removed while it waits", async (_name, verb) => {
  const owner = await signUp()
  const { accountId, userId } = owner
  const { id } = await inviteMember(runtime(), owner, { email: `${newId()}@example.com`, role: "viewer" })
  const invitations = () =>
    runtime()
      .pool.query("SELECT * FROM invitation WHERE account_id = $1", [accountId])
      .then(({ rows }) => rows)
  const before = await invitations()
  const call = meanwhile(
    () => verb(owner, id).catch(({ code, message }) => [code, message]),
    (client) => client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId]),
    (client) => client.query("DELETE FROM member WHERE account_id = $1 AND user_id = $2", [accountId, userId]),
  )
  expect(await call).toEqual(["forbidden", "You are no longer an owner."])
  expect(await invitations()).toEqual(before)
})

const usr = ({ userId }: UserActor) => publicId("usr", userId)

/** The ways in which the second owner of an account stops being one. */
const ENDS: Record<string, (owner: UserActor, second: UserActor) => Promise<unknown>> = {
  "is removed": (owner, second) => removeMember(runtime(), owner, { id: usr(second) }),
  "gets another role": (owner, second) => changeRole(runtime(), owner, { id: usr(second), role: "developer" }),
  "transfers the ownership": (owner, second) => handOver(second, owner),
  leaves: (_owner, second) => leaveAccount(runtime(), second),
}

it.each(Object.entries(ENDS))("an owner who %s leaves no open invitation behind", async (_way, end) => {
  const [owner, guest] = [await signUp(), await signUp()]
  const second = await joinAccount(owner, "owner")
  const other = await inviteMember(runtime(), owner, { email: `${newId()}@example.com`, role: "viewer" })
  const { id } = await inviteMember(runtime(), second, { email: guest.email, role: "owner" })
  await end(owner, second)
  expect((await listInvitations(runtime(), owner)).map((invitation) => invitation.id)).toEqual([other.id])
  await expect(acceptInvitation(runtime(), guest, { id })).rejects.toMatchObject({ code: "not_found" })
  const lines = (await listAudit(runtime(), owner, { topic: "members" })).lines.map(describeAudit)
  expect(lines.filter((line) => line.startsWith("Revoked"))).toEqual([`Revoked the invitation of ${guest.email}`])
})

it("an account has at most 100 members and open invitations, and an open one can be sent again then", async () => {
  const owner = await signUp()
  await runtime().pool.query(
    `INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at)
     SELECT gen_random_uuid(), $1, n || '@limit.example', 'viewer', $2, now() + interval '7 days'
     FROM generate_series(1, 98) AS n`,
    [owner.accountId, owner.userId],
  )
  const invite = (email: string) => inviteMember(runtime(), owner, { email, role: "viewer" })
  const { id } = await invite("last@limit.example")
  expect(await resendInvitation(runtime(), owner, { id })).toEqual({ id })
  expect(await invite("last@limit.example")).toEqual({ id })
  await expect(invite("over@limit.example")).rejects.toMatchObject({
    code: "rate_limited",
    message: "An account can have 100 members and open invitations. Revoke an invitation first.",
  })
  await revokeInvitation(runtime(), owner, { id })
  expect(await invite("over@limit.example")).toMatchObject({ id: expect.stringMatching(/^inv_/) })
})

it("invitations and keys of people who left expire by the database's clock, whatever the console's clock says", async () => {
  const [owner, user] = [await signUp(), await signUp()]
  await runtime().pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'developer')", [
    owner.accountId,
    user.userId,
  ])
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  await createKey(runtime(), { ...user, accountId: owner.accountId }, { name: "CI", limit: null, expiresAt })
  await removeMember(runtime(), owner, { id: usr(user) })
  await inviteMember(runtime(), owner, { email: "later@example.com", role: "viewer" })
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30 * 86_400_000 })
  try {
    expect(await listInvitations(runtime(), owner)).toMatchObject([{ email: "later@example.com", isExpired: false }])
    expect(await listCreations(runtime(), owner)).toMatchObject([{ name: "CI", createdBy: { email: user.email } }])
  } finally {
    vi.useRealTimers()
  }
})
