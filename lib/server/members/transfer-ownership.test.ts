import { describe, expect, it } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { query } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { keepMails } from "@/test/keep-mails"
import { joinAccount, signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { acceptInvitation, findInvitation } from "./accept-invitation"
import { changeRole, leaveAccount, removeMember } from "./change-members"
import { inviteMember, resendInvitation, revokeInvitation } from "./invitations"
import { listInvitations, listMembers } from "./list-members"
import { transferOwnership } from "./transfer-ownership"

await testRuntime()
const kept = keepMails()

const GONE = { code: "not_found", message: "This invitation is no longer valid for you." }
const usr = ({ userId }: UserActor) => publicId("usr", userId)
const offer = (owner: UserActor, heir: UserActor) => transferOwnership(runtime(), owner, { id: usr(heir) })
const accept = (heir: UserActor, offered: { id: string }) => acceptInvitation(runtime(), heir, offered)

const rolesOf = async (reader: UserActor) =>
  Object.fromEntries((await listMembers(runtime(), reader)).map(({ email, role }) => [email, role]))

async function team(name: string) {
  const owner = await signUp(`owner@${name}.example`)
  const heir = await joinAccount(owner, "viewer", await signUp(`heir@${name}.example`))
  return { owner, heir }
}

describe("an offer of the ownership", () => {
  it("changes nothing until the other member accepts it, and then both roles, once", async () => {
    const { owner, heir } = await team("both")
    const offered = await offer(owner, heir)
    expect(offered.id).toMatch(/^inv_/)
    expect(await rolesOf(owner)).toEqual({ "owner@both.example": "owner", "heir@both.example": "viewer" })
    expect(await listInvitations(runtime(), owner)).toMatchObject([
      { ...offered, email: "heir@both.example", role: "owner", isTransfer: true },
    ])
    expect(await findInvitation(runtime(), heir, offered)).toMatchObject({
      role: "owner",
      invitedBy: "owner@both.example",
      isTransfer: true,
    })
    const settled = await Promise.allSettled([accept(heir, offered), accept(heir, offered)])
    expect(settled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect(await rolesOf(owner)).toEqual({ "owner@both.example": "developer", "heir@both.example": "owner" })
    const { lines } = await listAudit(runtime(), { ...heir, role: "owner" }, { topic: "members" })
    expect(lines.map((line) => `${line.by}: ${describeAudit(line)}`)).toEqual([
      "heir@both.example: Took over the ownership from owner@both.example",
      "owner@both.example: Offered the ownership to heir@both.example",
    ])
  })

  it("is mailed to the other member, and says what it means", async () => {
    const { owner, heir } = await team("mailed")
    kept.sent = []
    const { id } = await offer(owner, heir)
    expect(kept.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["heir@mailed.example", "Take over an account at localhost:3000"],
    ])
    expect(kept.sent[0]?.text).toContain(
      "owner@mailed.example offers you the ownership of the account “owner@mailed.example”. You then become an owner, and owner@mailed.example becomes a developer.",
    )
    expect(kept.sent[0]?.text).toContain(`/join/${id}`)
    const second = await joinAccount(owner, "owner")
    kept.sent = []
    await resendInvitation(runtime(), second, { id })
    expect(kept.sent[0]?.text).toContain("owner@mailed.example offers you the ownership")
  })

  it("is for a member of the account, and for nobody else", async () => {
    const { owner, heir } = await team("only")
    const guest = await signUp("guest@only.example")
    const refused = { code: "not_found", message: "There is no such member." }
    await expect(offer(owner, guest)).rejects.toMatchObject(refused)
    await expect(offer(owner, owner)).rejects.toMatchObject(refused)
    const offered = await offer(owner, heir)
    expect(await findInvitation(runtime(), guest, offered)).toBeNull()
    await expect(accept(guest, offered)).rejects.toMatchObject(GONE)
    await removeMember(runtime(), owner, { id: usr(heir) })
    expect(await findInvitation(runtime(), heir, offered)).toBeNull()
    await expect(accept(heir, offered)).rejects.toMatchObject(GONE)
    const again = await inviteMember(runtime(), owner, { email: heir.email, role: "viewer" })
    await accept(heir, again)
    expect(await rolesOf(owner)).toEqual({ "owner@only.example": "owner", "heir@only.example": "viewer" })
  })

  it("is not made by a person who is no longer an owner since the request began", async () => {
    const { owner, heir } = await team("late")
    const second = await joinAccount(owner, "owner")
    await changeRole(runtime(), second, { id: usr(owner), role: "developer" })
    await expect(offer(owner, heir)).rejects.toMatchObject({
      code: "forbidden",
      message: "You are no longer an owner.",
    })
    expect(await listInvitations(runtime(), second)).toEqual([])
  })

  it("of a suspended account is not valid until the account is resumed", async () => {
    const { owner, heir } = await team("suspended")
    const offered = await offer(owner, heir)
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [owner.accountId])
    expect(await findInvitation(runtime(), heir, offered)).toBeNull()
    await expect(accept(heir, offered)).rejects.toMatchObject(GONE)
    await query("UPDATE account SET status = 'active' WHERE id = $1", [owner.accountId])
    await accept(heir, offered)
    expect((await rolesOf(heir))[heir.email]).toBe("owner")
  })

  it.each([
    ["the member is removed", "DELETE FROM member WHERE account_id = $1 AND user_id = $2"],
    ["the sender is an owner no longer", "UPDATE member SET role = 'billing' WHERE account_id = $1 AND user_id = $3"],
  ])("makes nobody an owner when %s while the acceptance waits", async (way, change) => {
    const { owner, heir } = await team(way.replaceAll(" ", "-"))
    const { accountId } = owner
    const offered = await offer(owner, heir)
    const accepting = meanwhile(
      () => accept(heir, offered),
      (client) => client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [accountId]),
      (client) => client.query(`${change} AND $2 <> $3::uuid`, [accountId, heir.userId, owner.userId]),
    )
    await expect(accepting).rejects.toMatchObject(GONE)
    const { rows } = await query("SELECT user_id FROM member WHERE account_id = $1 AND role = 'owner'", [accountId])
    expect(rows.filter((row) => row.user_id !== owner.userId)).toEqual([])
  })

  const ENDS: Record<string, (owner: UserActor, heir: UserActor, offered: { id: string }) => Promise<unknown>> = {
    "is revoked": (owner, _heir, offered) => revokeInvitation(runtime(), owner, offered),
    expires: (_owner, _heir, { id }) =>
      query("UPDATE invitation SET expires_at = now() - interval '1 s' WHERE id = $1", [parsePublicId("inv", id)]),
    "comes from an owner who leaves": async (owner) => {
      await joinAccount(owner, "owner")
      await leaveAccount(runtime(), owner)
    },
    "comes from an owner who gets another role": async (owner) => {
      const second = await joinAccount(owner, "owner")
      await changeRole(runtime(), second, { id: usr(owner), role: "billing" })
    },
    "comes from an owner whom another member took over from": async (owner) => {
      const first = await joinAccount(owner, "developer")
      await accept(first, await offer(owner, first))
    },
  }

  it.each(Object.entries(ENDS))("that %s makes nobody an owner", async (way, end) => {
    const { owner, heir } = await team(way.replaceAll(" ", "-"))
    const offered = await offer(owner, heir)
    await end(owner, heir, offered)
    expect(await findInvitation(runtime(), heir, offered)).toBeNull()
    await expect(accept(heir, offered)).rejects.toMatchObject(GONE)
    expect((await rolesOf(heir))[heir.email]).toBe("viewer")
  })

  it("can be made in an account that has as many members as it can", async () => {
    const { owner, heir } = await team("full")
    await query(
      `INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at)
       SELECT gen_random_uuid(), $1, n || '@full.example', 'viewer', $2, now() + interval '7 days'
       FROM generate_series(1, 98) AS n`,
      [owner.accountId, owner.userId],
    )
    await accept(heir, await offer(owner, heir))
    expect((await rolesOf(heir))[heir.email]).toBe("owner")
  })
})
