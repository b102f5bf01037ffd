import { beforeAll, describe, expect, it } from "vitest"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { switchAccount } from "@/lib/server/auth/switch-account"
import { createKey } from "@/lib/server/keys/create-key"
import { verifyKey } from "@/lib/server/keys/verify-key"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { testRuntime } from "@/test/database"
import { handOver } from "@/test/hand-over"
import { insertSessionOf } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { signedInAt, signUp } from "@/test/sign-up"
import { acceptInvitation, findInvitation } from "./accept-invitation"
import { changeRole, leaveAccount, removeMember } from "./change-members"
import { listCreations } from "./creations"
import { inviteMember, resendInvitation, revokeInvitation } from "./invitations"
import { listInvitations, listMembers } from "./list-members"
import { transferOwnership } from "./transfer-ownership"

let app: Runtime
let mails: ReturnType<typeof keepMails>
beforeAll(async () => {
  app = await testRuntime()
  mails = keepMails()
})

const usr = ({ userId }: UserActor) => publicId("usr", userId)
const KEY = { name: "CI", limit: { amountUsd: "1", period: "daily" as const }, expiresAt: null }

const shown = async (cookie: string) => (await actorOfCookies(runtime(), cookie, null)) as UserActor

/** Signs up, joins the account of `owner` with a role, and returns the session's cookie and its actor there. */
async function join(owner: UserActor, role: Role): Promise<{ cookie: string; actor: UserActor }> {
  const user = await signUp()
  const { id } = await inviteMember(runtime(), owner, { email: user.email, role })
  await app.pool.query("DELETE FROM invitation_mail")
  const cookie = await insertSessionOf(user.userId)
  await acceptInvitation(runtime(), await shown(cookie), { id })
  return { cookie, actor: await shown(cookie) }
}

it("a member who joins and a role that changes are mailed to the owners, and the role to the member too", async () => {
  const owner = await signUp("mailed-owner@example.com")
  await sendQueuedMail(runtime())
  mails.sent = []
  const { actor: viewer } = await join(owner, "viewer")
  const { actor: bob } = await join(owner, "developer")
  await changeRole(runtime(), owner, { id: usr(bob), role: "billing" })
  await changeRole(runtime(), owner, { id: usr(bob), role: "billing" })
  await sendQueuedMail(runtime())
  const queued = mails.sent.filter(({ messageId }) => messageId !== undefined)
  expect(queued.map(({ to, subject }) => [to, subject.split(" · ")[0]]).toSorted()).toEqual(
    [
      [owner.email, "A member joined your account"],
      [owner.email, "A member joined your account"],
      [owner.email, `A member is now a billing member in “${owner.email}”`],
      [bob.email, `You are now a billing member in “${owner.email}”`],
    ].toSorted(),
  )
  expect(queued.map(({ to }) => to)).not.toContain(viewer.email)
})

it("a member who accepts another invitation keeps the role, and the audit log records no second join", async () => {
  const owner = await signUp()
  const { actor: viewer } = await join(owner, "viewer")
  // Nobody can invite a member's address. This one was invited before its user changed to it.
  const { id } = await inviteMember(runtime(), owner, { email: "second-address@example.com", role: "developer" })
  await app.pool.query("UPDATE invitation SET email = $2 WHERE id = $1", [parsePublicId("inv", id), viewer.email])
  await acceptInvitation(runtime(), viewer, { id })
  expect(await roles(owner)).toContainEqual([viewer.email, "viewer"])
  const joins = (await listAudit(runtime(), owner, {})).lines
    .map(describeAudit)
    .filter((text) => text.startsWith("Joined"))
  expect(joins).toEqual(["Joined the account as viewer"])
})

const roles = async (owner: UserActor) => (await listMembers(runtime(), owner)).map(({ email, role }) => [email, role])

describe("an invitation", () => {
  it("lets the user of its address join, once, and shows the account from then on", async () => {
    const [owner, bob] = [await signUp(), await signUp("bob@example.com")]
    mails.sent = []
    const { id } = await inviteMember(runtime(), owner, { email: "bob@example.com", role: "developer" })
    expect(mails.sent.map(({ to }) => to)).toEqual(["bob@example.com"])
    expect(mails.sent[0]?.text).toContain(`http://localhost:3000/join/${id}`)
    const cookie = await insertSessionOf(bob.userId)
    expect(await findInvitation(runtime(), bob, { id })).toEqual({
      account: owner.email,
      role: "developer",
      invitedBy: owner.email,
      isTransfer: false,
    })
    const [first, second] = await Promise.allSettled([1, 2].map(() => acceptInvitation(runtime(), bob, { id })))
    expect([first?.status, second?.status].toSorted()).toEqual(["fulfilled", "rejected"])
    await switchAccount(runtime(), await shown(cookie), { id: publicId("acc", owner.accountId) })
    expect(await shown(cookie)).toMatchObject({ accountId: owner.accountId, role: "developer" })
    expect(await shown(await insertSessionOf(bob.userId))).toMatchObject({ accountId: owner.accountId })
    expect(await listInvitations(runtime(), owner)).toEqual([])
    const lines = (await listAudit(runtime(), owner, { topic: "members" })).lines.map(
      (line) => `${line.by}: ${describeAudit(line)}`,
    )
    expect(lines).toEqual([
      "bob@example.com: Joined the account as developer",
      `${owner.email}: Invited bob@example.com as developer`,
    ])
  })

  it("looks unknown to everyone else, and once it is revoked or expired", async () => {
    const [owner, eve, dan] = [await signUp(), await signUp(), await signUp()]
    const { id } = await inviteMember(runtime(), owner, { email: dan.email, role: "viewer" })
    const refused = { code: "not_found", message: "This invitation is no longer valid for you." }
    expect(await findInvitation(runtime(), eve, { id })).toBeNull()
    await expect(acceptInvitation(runtime(), eve, { id })).rejects.toMatchObject(refused)
    await app.pool.query("UPDATE invitation SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
      owner.accountId,
    ])
    expect(await findInvitation(runtime(), dan, { id })).toBeNull()
    await expect(acceptInvitation(runtime(), dan, { id })).rejects.toMatchObject(refused)
    await resendInvitation(runtime(), owner, { id })
    expect(await findInvitation(runtime(), dan, { id })).toMatchObject({ role: "viewer" })
    await expect(revokeInvitation(runtime(), eve, { id })).rejects.toMatchObject({ code: "not_found" })
    await revokeInvitation(runtime(), owner, { id })
    expect(await findInvitation(runtime(), dan, { id })).toBeNull()
    await expect(resendInvitation(runtime(), owner, { id })).rejects.toMatchObject({ code: "not_found" })
    expect(await roles(owner)).toEqual([[owner.email, "owner"]])
  })

  it("is the same for addresses with and without a user, and an account sends 20 an hour at most", async () => {
    const [owner, known] = [await signUp(), await signUp()]
    const invite = (by: UserActor, email: string) =>
      inviteMember(runtime(), by, { email, role: "viewer" }).then(
        ({ id }) => id.slice(0, 4),
        ({ code, message }) => [code, message],
      )
    const limited = ["rate_limited", "Too many invitations were sent. Try again in an hour."]
    for (const email of [known.email, `${newId()}@example.com`]) expect(await invite(owner, email)).toBe("inv_")
    await app.pool.query("DELETE FROM invitation_mail")
    const results = await Promise.all(Array.from({ length: 25 }, (_, i) => invite(owner, `many-${i}@example.com`)))
    expect(results.filter((result) => result !== "inv_")).toEqual(Array(5).fill(limited))
    await app.pool.query("DELETE FROM invitation_mail")
  })

  it("that makes an owner, or ends one, needs the confirmation that a transfer of ownership needs", async () => {
    const first = await signUp()
    const { actor: second } = await join(first, "owner")
    const { actor: developer } = await join(first, "developer")
    const to = (role: "owner" | "viewer", member: UserActor) => ({ id: usr(member), role })
    const invited = await inviteMember(runtime(), first, { email: "heir@example.com", role: "owner" })
    const calls: [call: (actor: UserActor) => Promise<unknown>, verb: string][] = [
      [(actor) => inviteMember(runtime(), actor, { email: "heir@example.com", role: "owner" }), "transferOwnership"],
      [(actor) => resendInvitation(runtime(), actor, { id: invited.id }), "transferOwnership"],
      [(actor) => changeRole(runtime(), actor, to("owner", developer)), "transferOwnership"],
      [(actor) => changeRole(runtime(), actor, to("viewer", second)), "transferOwnership"],
      [(actor) => removeMember(runtime(), actor, { id: usr(second) }), "transferOwnership"],
      [(actor) => transferOwnership(runtime(), actor, { id: usr(developer) }), "transferOwnership"],
      [(actor) => leaveAccount(runtime(), actor), "transferOwnership"],
      [(actor) => removeMember(runtime(), actor, { id: usr(first) }), "transferOwnership"],
    ]
    const old = signedInAt(0)
    for (const [call, param] of calls) {
      const refused = { code: "confirmation_required", param }
      await expect(call({ ...first, confirmedAtMs: { ...old, access: Date.now() } })).rejects.toMatchObject(refused)
    }
    expect((await roles(first)).map(([, role]) => role).toSorted()).toEqual(["developer", "owner", "owner"])
    const mayAccess = { ...first, confirmedAtMs: { ...old, access: Date.now() } }
    await changeRole(runtime(), mayAccess, to("viewer", developer))
    await removeMember(runtime(), mayAccess, { id: usr(developer) })
    await removeMember(runtime(), { ...first, confirmedAtMs: signedInAt(Date.now()) }, { id: usr(second) })
    expect((await roles(first)).map(([, role]) => role)).toEqual(["owner"])
  })

  it("needs a recent sign-in, and an address that is no member", async () => {
    const owner = await signUp()
    await expect(inviteMember(runtime(), owner, { email: owner.email, role: "viewer" })).rejects.toMatchObject({
      param: "email",
    })
    const late = { ...owner, confirmedAtMs: signedInAt(Date.now() - 86_400_001) }
    await expect(inviteMember(runtime(), late, { email: "new@example.com", role: "viewer" })).rejects.toMatchObject({
      code: "confirmation_required",
    })
  })
})

describe("a member", () => {
  it("who is removed loses the session at once, and nothing else: keys and other accounts stay", async () => {
    const owner = await signUp()
    const { cookie, actor } = await join(owner, "developer")
    const { token, id } = await createKey(runtime(), actor, KEY)
    const elsewhere = await insertSessionOf(actor.userId)
    const own = (await app.pool.query("SELECT account_id FROM member WHERE user_id = $1 AND role = 'owner'", [
      actor.userId,
    ])) as { rows: { account_id: string }[] }
    await switchAccount(runtime(), await shown(elsewhere), { id: publicId("acc", own.rows[0]?.account_id ?? "") })
    await removeMember(runtime(), owner, { id: usr(actor) })
    expect(await actorOfCookies(runtime(), cookie, null)).toBeNull()
    expect(await shown(elsewhere)).toMatchObject({ accountId: own.rows[0]?.account_id, role: "owner" })
    expect(await verifyKey(runtime(), `Bearer ${token}`)).toMatchObject({ accountId: owner.accountId })
    expect(await listCreations(runtime(), owner)).toMatchObject([
      { id, createdBy: { email: actor.email }, isLeft: true },
    ])
    expect(await switchAccount(runtime(), await shown(elsewhere), { id: publicId("acc", owner.accountId) })).toBe(false)
    await expect(removeMember(runtime(), owner, { id: usr(actor) })).rejects.toMatchObject({ code: "not_found" })
  })

  it("of another account can neither be changed nor seen", async () => {
    const [owner, other] = [await signUp(), await signUp()]
    const target = await join(owner, "viewer")
    const refused = { code: "not_found", message: "There is no such member." }
    const id = usr(target.actor)
    await expect(changeRole(runtime(), other, { id, role: "owner" })).rejects.toMatchObject(refused)
    await expect(removeMember(runtime(), other, { id })).rejects.toMatchObject(refused)
    await expect(transferOwnership(runtime(), other, { id })).rejects.toMatchObject(refused)
    expect(await roles(other)).toEqual([[other.email, "owner"]])
    expect((await shown(target.cookie)).role).toBe("viewer")
  })

  it("gets a new role with the next request, and can leave", async () => {
    const owner = await signUp()
    const { cookie, actor } = await join(owner, "viewer")
    await changeRole(runtime(), owner, { id: usr(actor), role: "billing" })
    expect((await shown(cookie)).role).toBe("billing")
    await leaveAccount(runtime(), actor)
    expect(await actorOfCookies(runtime(), cookie, null)).toBeNull()
    expect(await roles(owner)).toEqual([[owner.email, "owner"]])
  })
})

describe("the last owner", () => {
  const refused = { code: "invalid_request", message: "An account needs an owner. Make another member an owner first." }

  it("cannot leave or be demoted, and can transfer the ownership", async () => {
    const owner = await signUp()
    const { actor } = await join(owner, "developer")
    await expect(leaveAccount(runtime(), owner)).rejects.toMatchObject(refused)
    await expect(changeRole(runtime(), owner, { id: usr(owner), role: "viewer" })).rejects.toMatchObject(refused)
    await handOver(owner, actor)
    expect(await roles(owner)).toEqual([
      [actor.email, "owner"],
      [owner.email, "developer"],
    ])
    await expect(changeRole(runtime(), owner, { id: usr(actor), role: "viewer" })).rejects.toMatchObject({
      code: "forbidden",
    })
  })

  it("remains when two owners remove, demote or leave at the same time", async () => {
    for (const act of ["remove", "demote", "leave"] as const) {
      const owner = await signUp()
      const { actor: second } = await join(owner, "owner")
      const attempt = (by: UserActor, target: UserActor) => {
        if (act === "leave") return leaveAccount(runtime(), by)
        return act === "remove"
          ? removeMember(runtime(), by, { id: usr(target) })
          : changeRole(runtime(), by, { id: usr(target), role: "viewer" })
      }
      const settled = await Promise.allSettled([attempt(owner, second), attempt(second, owner)])
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      const { rows } = await app.pool.query("SELECT FROM member WHERE account_id = $1 AND role = 'owner'", [
        owner.accountId,
      ])
      expect(rows).toHaveLength(1)
    }
  })
})
