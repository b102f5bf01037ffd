import { beforeEach, expect, test } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { listAudit } from "@/lib/server/audit/list-audit"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { keepMails } from "@/test/keep-mails"
import { TestBrowser, testOpenId } from "@/test/openid-sign-in"
import { backdateLinks, mailTo } from "@/test/sign-in"
import { signUp } from "@/test/sign-up"
import { removeMember } from "./change-members"
import { inviteMember } from "./invitations"

const { app, provider, origin } = await testOpenId()

let owner: UserActor
beforeEach(async () => {
  app.env.SIGN_UP = "open"
  owner = await signUp()
  await app.pool.query("UPDATE account SET name = 'Acme' WHERE id = $1", [owner.accountId])
  app.env.SIGN_UP_ACCOUNTS = new Map([["tied.example", { accountId: owner.accountId, role: "viewer" }]])
})

/** Signs in by a mailed link. Returns the session's user. */
async function signInByMail(email: string): Promise<UserActor> {
  await backdateLinks(email, "2 minutes")
  const browser = new TestBrowser(origin)
  await browser.post("signin/email", { email })
  const link = new URLSearchParams(new URL((await mailTo(email))?.link ?? "").hash.slice(1))
  await browser.post("callback/email", { token: link.get("t") ?? "", email })
  return (await browser.who()) as UserActor
}

const rolesOf = async ({ userId }: UserActor) =>
  (
    await app.pool.query(
      "SELECT a.name, m.role FROM member m JOIN account a ON a.id = m.account_id WHERE m.user_id = $1 ORDER BY a.name",
      [userId],
    )
  ).rows.map(({ name, role }) => [name, role])

const JOINED = [
  ["Acme", "viewer"],
  [null, "owner"],
]
const ALONE = [[null, "owner"]]

test("a new user with a proven address at the domain joins the account, and the session shows it", async () => {
  const user = await signInByMail("ada@tied.example")
  expect(user).toMatchObject({ accountId: owner.accountId, role: "viewer" })
  expect(await rolesOf(user)).toEqual(JOINED)
  const { lines } = await listAudit(runtime(), owner, { topic: "members" })
  expect(lines.map(({ action, by, detail }) => [action, by, detail])).toEqual([
    ["member.join", "ada@tied.example", "viewer"],
  ])
  const { mailer } = app
  const kept = keepMails()
  await sendQueuedMail(runtime())
  app.mailer = mailer
  expect(kept.sent.find(({ to }) => to === owner.email)?.text).toContain(
    "ada@tied.example signed up with an address at a domain whose people join your account, and joined it as a viewer.",
  )
})

test("so does a new person of the OpenID provider, and none without a verified address", async () => {
  provider.people.set("bob", { email: "bob@tied.example", email_verified: true })
  provider.people.set("eve", { email: "eve@tied.example", email_verified: false })
  const who = async (subject: string) => {
    provider.next.subject = subject
    const browser = new TestBrowser(origin)
    await browser.signIn()
    return browser.who()
  }
  expect(await rolesOf((await who("bob")) as UserActor)).toEqual(JOINED)
  expect(await who("eve")).toBeNull()
})

test.each(["cyd@mail.tied.example", "cyd@untied.example", "cyd@other.example"])("%s joins nothing", async (email) => {
  expect(await rolesOf(await signInByMail(email))).toEqual(ALONE)
})

test("a user who exists already, also one whom the operator created, joins nothing", async () => {
  await createAccount(runtime(), OPERATOR, { email: "dan@tied.example" })
  expect(await rolesOf(await signInByMail("dan@tied.example"))).toEqual(ALONE)
})

test("someone whom an owner removed does not come back by deleting the user or by another address of the mailbox", async () => {
  const user = await signInByMail("fay@tied.example")
  await removeMember(runtime(), owner, { id: publicId("usr", user.userId) })
  expect(await rolesOf(await signInByMail("fay+2@tied.example"))).toEqual(ALONE)
  await deleteUser(runtime(), await signInByMail("fay@tied.example"), { email: "fay@tied.example" })
  expect(await rolesOf(await signInByMail("fay@tied.example"))).toEqual(ALONE)
})

test("an open invitation to the account comes first, because it may offer another role", async () => {
  await inviteMember(runtime(), owner, { email: "gus@tied.example", role: "billing" })
  expect(await rolesOf(await signInByMail("gus@tied.example"))).toEqual(ALONE)
})

test.each([
  ["open", true],
  ["domains", true],
  ["invited", true],
  ["off", false],
] as const)("under SIGN_UP=%s, the domain admits its addresses: %s", async (policy, isAdmitted) => {
  app.env.SIGN_UP = policy
  const email = `hal-${policy}@tied.example`
  provider.people.set(email, { email, email_verified: true })
  provider.next.subject = email
  const browser = new TestBrowser(origin)
  await browser.signIn()
  expect((await browser.who())?.accountId ?? null).toBe(isAdmitted ? owner.accountId : null)
})

test("after the account was closed, people sign up and join nothing", async () => {
  await app.pool.query("UPDATE account SET status = 'closed' WHERE id = $1", [owner.accountId])
  expect(await rolesOf(await signInByMail("ivy@tied.example"))).toEqual(ALONE)
})
