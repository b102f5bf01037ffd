import { describe, expect, it } from "vitest"
import { createAccountToken, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requestEmailChange } from "@/lib/server/auth/change-email"
import { confirmEmail } from "@/lib/server/auth/confirm-email"
import { createKey } from "@/lib/server/keys/create-key"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { dropOldMail, sendQueuedMail } from "@/lib/server/mail/send-queued"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { listCreations } from "@/lib/server/members/creations"
import { inviteMember } from "@/lib/server/members/invitations"
import { listInvitations } from "@/lib/server/members/list-members"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { balanceOf, columnsWith, query, sessionOf, signUpWithEverything } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { joinAccount, signedInAt, signUp } from "@/test/sign-up"
import { deleteUser, listOwnedAlone } from "./delete-user"

await testRuntime({ WELCOME_CREDIT_USD: "2" })
await insertModel("m")
const mails = keepMails()

const tokenOf = (email: string): string => {
  const text = mails.sent.findLast(({ to }) => to === email)?.text ?? ""
  return new URLSearchParams(/#(\S+)/.exec(text)?.[1]).get("m") ?? ""
}

/** Changes the user's address, confirmed by both mailboxes. */
async function moveTo(user: UserActor, email: string): Promise<void> {
  await requestEmailChange(runtime(), user, { email })
  await confirmEmail(runtime(), tokenOf(user.email), null)
  expect(await confirmEmail(runtime(), tokenOf(email), null)).toBe("changed")
}

describe("deleting a user", () => {
  it("mails the address, closes the account, keeps the ledger sound and names the user no more", async () => {
    const { owner } = await signUpWithEverything("zoe@deleting.example")
    const team = await signUp("owner@deleting-team.example")
    const { id } = await inviteMember(runtime(), team, { email: owner.email, role: "developer" })
    await acceptInvitation(runtime(), owner, { id })
    const inTeam = await sessionOf(owner)
    await createKey(
      runtime(),
      { ...inTeam, accountId: team.accountId, role: "developer" },
      { name: "CI", limit: null, expiresAt: null },
    )
    mails.sent = []
    await deleteUser(runtime(), owner, { email: "zoe@deleting.example" })
    await sendQueuedMail(runtime())
    const sent = mails.sent.filter(({ to }) => to !== team.email)
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["zoe@deleting.example", "Your user was deleted at localhost:3000"],
    ])
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "closed" }])
    expect((await verifyLedger(runtime(), { all: true })).ok).toBe(true)
    const [left] = await listCreations(runtime(), team)
    const email = expect.stringMatching(/^deleted-user-[0-9a-f]{8}$/)
    expect(left).toMatchObject({ name: "CI", createdBy: { email, role: null }, isLeft: true })
    const lines = (await listAudit(runtime(), team, { topic: "members" })).lines.map(
      (line) => `${line.by}: ${describeAudit(line)}`,
    )
    expect(lines[0]).toMatch(/^deleted-user-[0-9a-f]{8}: Left the account$/)
  })

  it("erases the addresses that the user had before", async () => {
    const { owner } = await signUpWithEverything("kim@deleting-old.example")
    const team = await signUp("owner@deleting-old-team.example")
    const invite = (email: string) => inviteMember(runtime(), team, { email, role: "developer" })
    await acceptInvitation(runtime(), owner, await invite(owner.email))
    await moveTo(owner, "kim@deleting-new.example")
    await invite("kim@deleting-old.example")
    const moved = await sessionOf(owner)
    await moveTo(moved, "kim@deleting-newest.example")
    await sendQueuedMail(runtime())
    expect(await columnsWith("kim@deleting-old.example")).toContain("audit_event.detail")
    await deleteUser(runtime(), await sessionOf(moved), { email: "kim@deleting-newest.example" })
    await sendQueuedMail(runtime())
    for (const host of ["old", "new", "newest"]) expect(await columnsWith(`kim@deleting-${host}.example`)).toEqual([])
  })

  it("keeps the address of the last mail until that is sent, for 23 hours at most", async () => {
    const [late, never] = [
      await sessionOf(await signUp("una@last.example")),
      await sessionOf(await signUp("vic@last.example")),
    ]
    mails.fails = true
    await deleteUser(runtime(), late, { email: late.email })
    await deleteUser(runtime(), never, { email: never.email })
    await sendQueuedMail(runtime())
    expect(await columnsWith("@last.example")).toEqual(["queued_mail.address"])
    await query("UPDATE queued_mail SET created_at = now() - interval '23 hours' WHERE address = $1", [never.email])
    await dropOldMail(runtime())
    expect(await columnsWith("vic@last.example")).toEqual([])
    mails.sent = []
    mails.fails = false
    await query("UPDATE queued_mail SET next_at = now() WHERE address IS NOT NULL")
    await sendQueuedMail(runtime())
    expect(mails.sent.map(({ to }) => to)).toEqual(["una@last.example"])
    expect(await columnsWith("@last.example")).toEqual([])
  })

  it("erases the addresses of programs that used the user's account tokens, also revoked ones", async () => {
    const team = await signUp("owner@deleting-tokens.example")
    const user = await signUp("max@deleting.example")
    const inTeam = await joinAccount(team, "owner", user)
    const { id } = await createAccountToken(runtime(), inTeam, { name: "CI", expiresAt: null })
    const tokenId = parsePublicId("tok", id) ?? ""
    const clientAddress = "203.0.113.98"
    const { accountId, userId } = inTeam
    const program = { type: "token", accountId, tokenId, userId, rights: [], clientAddress } as const
    await recordAudit(runtime().pool, program, { action: "key.create" })
    await revokeAccountToken(runtime(), team, { id })
    await deleteUser(runtime(), user, { email: user.email })
    expect(await columnsWith(clientAddress)).toEqual([])
  })

  it("leaves a past address alone that another person has by now", async () => {
    const first = await sessionOf(await signUp("lee@past.example"))
    await moveTo(first, "lee@present.example")
    const second = await signUp("lee@past.example")
    await query("INSERT INTO sign_in_token (token_hash, email, expires_at) VALUES ('of-second', $1, now())", [
      second.email,
    ])
    await deleteUser(runtime(), await sessionOf(first), { email: "lee@present.example" })
    expect(await columnsWith("lee@past.example")).toEqual(["app_user.email", "sign_in_token.email"])
  })

  it("ends every session, gives no second welcome credit, and lets the address sign up again", async () => {
    const user = await sessionOf(await signUp("again@deleting.example"))
    await sessionOf(user)
    await deleteUser(runtime(), user, { email: user.email })
    expect((await query("SELECT FROM session WHERE user_id = $1", [user.userId])).rowCount).toBe(0)
    const second = await signUp("again@deleting.example")
    expect(second.userId).not.toBe(user.userId)
    expect(await balanceOf(second.accountId)).toEqual([{ status: "active", balance_pico: "0" }])
  })

  it("revokes the open invitations that the user sent from an account of others", async () => {
    const [team, user] = [await signUp(), await sessionOf(await signUp())]
    const { id } = await inviteMember(runtime(), team, { email: user.email, role: "owner" })
    await acceptInvitation(runtime(), user, { id })
    await inviteMember(
      runtime(),
      { ...user, accountId: team.accountId },
      { email: `${newId()}@example.com`, role: "owner" },
    )
    expect(await listInvitations(runtime(), team)).toMatchObject([{ invitedBy: user.email }])
    await deleteUser(runtime(), user, { email: user.email })
    expect(await listInvitations(runtime(), team)).toEqual([])
  })

  it("is refused for the only owner of an account with other members, and changes nothing", async () => {
    const owner = await sessionOf(await signUp())
    const bob = await signUp()
    const { id } = await inviteMember(runtime(), owner, { email: bob.email, role: "viewer" })
    await acceptInvitation(runtime(), await sessionOf(bob), { id })
    expect(await listOwnedAlone(runtime(), owner)).toMatchObject([
      { name: owner.email, others: 1, balanceUsd: "2.000000000000" },
    ])
    await expect(deleteUser(runtime(), owner, { email: owner.email })).rejects.toMatchObject({
      message: `You are the only owner of “${owner.email}”, which has other members. Make one of them an owner, or close the account first.`,
    })
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "active" }])
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [bob.accountId])
    await expect(deleteUser(runtime(), bob, { email: bob.email })).rejects.toThrow("is suspended")
    await expect(deleteUser(runtime(), owner, { email: bob.email })).rejects.toMatchObject({ param: "email" })
    await expect(
      deleteUser(runtime(), { ...owner, confirmedAtMs: signedInAt(0) }, { email: owner.email }),
    ).rejects.toMatchObject({
      code: "confirmation_required",
    })
  })
})

it("the audit log refuses deletions and other changes, but allows erasing a client's address", async () => {
  const { accountId } = await signUp("kept@closing.example", "203.0.113.9")
  const change = (set: string) => query(`UPDATE audit_event SET ${set} WHERE account_id = $1`, [accountId])
  for (const set of [
    "action = 'x'",
    "actor = 'system'",
    "client_address = '203.0.113.1'",
    "detail = 'x', client_address = NULL",
  ])
    await expect(change(set)).rejects.toThrow("audit_event is append-only")
  await expect(query("DELETE FROM audit_event WHERE account_id = $1", [accountId])).rejects.toThrow("append-only")
  await change("client_address = NULL")
  expect((await listAudit(runtime(), operatorFor(accountId))).lines).toHaveLength(1)
})
