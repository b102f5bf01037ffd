import { beforeEach, expect, test, vi } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { eraseUser } from "@/lib/server/closing/erase"
import { createKey } from "@/lib/server/keys/create-key"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { keepMails } from "@/test/keep-mails"
import { linkingToken, TestBrowser, testOpenId } from "@/test/openid-sign-in"
import { joinAccount, signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { listCreations } from "./creations"

const { app, provider, origin } = await testOpenId({ SIGN_UP: "open" })
const ROLES = { engineers: "developer", finance: "billing", staff: "viewer" } as const

let owner: UserActor
beforeEach(async () => {
  owner = await signUp()
  await app.pool.query("UPDATE account SET name = 'Acme' WHERE id = $1", [owner.accountId])
  Object.assign(app.env, {
    OIDC_ROLE_CLAIM: "groups",
    OIDC_ACCOUNT: owner.accountId,
    OIDC_ROLES: new Map(Object.entries(ROLES)),
  })
})

/** Signs a person with these groups in, in a new browser. */
async function signIn(subject: string, groups?: unknown): Promise<TestBrowser> {
  provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true, groups })
  provider.next.subject = subject
  const browser = new TestBrowser(origin)
  await browser.signIn()
  return browser
}

const emailOf = (subject: string) => `${subject}@example.com`

const roleOf = async (subject: string, accountId = owner.accountId): Promise<Role | null> =>
  (
    await app.pool.query(
      "SELECT m.role FROM member m JOIN app_user u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2",
      [accountId, emailOf(subject)],
    )
  ).rows[0]?.role ?? null

const auditOf = async () =>
  (await listAudit(runtime(), owner, { topic: "members" })).lines.map(({ action, person, detail, by }) => [
    action,
    person,
    detail,
    by,
  ])

async function mails(): Promise<[to: string, subject: string, intro: string][]> {
  const { mailer } = app
  const kept = keepMails()
  await sendQueuedMail(runtime())
  app.mailer = mailer
  return kept.sent.map(({ to, subject, text }) => [to, subject, text.split("\n", 1)[0] ?? ""])
}

test("a new person joins the account with the role of their group, and the session shows it", async () => {
  const browser = await signIn("ada", ["others", "engineers"])
  expect(await browser.who()).toMatchObject({ accountId: owner.accountId, role: "developer" })
  expect(await auditOf()).toEqual([["member.add", "ada@example.com", "developer", "The OpenID provider"]])
  expect(await mails()).toContainEqual([
    owner.email,
    `A member joined your account · ${new URL(origin).host}`,
    "ada@example.com signed in with the OpenID provider, whose groups give a role in your account, and joined it as a developer. If you do not know this person, remove them:",
  ])
})

test("the role follows the groups at each sign-in, and the first one in the setting's order counts", async () => {
  await signIn("bob", ["staff"])
  expect(await roleOf("bob")).toBe("viewer")
  await mails()
  await signIn("bob", ["staff", "finance", "engineers"])
  expect(await roleOf("bob")).toBe("developer")
  expect((await auditOf())[0]).toEqual(["member.role", "bob@example.com", "developer", "The OpenID provider"])
  expect((await mails()).map(([to, , intro]) => [to, intro])).toEqual(
    expect.arrayContaining([
      [
        "bob@example.com",
        "The OpenID provider changed your role in “Acme”: you are now a developer. If this was not intended, ask an owner to change it back:",
      ],
    ]),
  )
  await signIn("bob", "finance")
  expect(await roleOf("bob")).toBe("billing")
  const before = await auditOf()
  await signIn("bob", "finance")
  expect(await auditOf()).toEqual(before)
})

test.each([
  ["of other groups", ["others"]],
  ["of a group whose name is longer", ["engineers-abroad"]],
  ["without the claim", undefined],
  ["whose claim is no list of texts", [{ engineers: true }, 7, null]],
])("a member %s loses the membership and the sessions that show the account", async (name, groups) => {
  const subject = `leaver-${name.length}`
  const earlier = await signIn(subject, ["engineers"])
  const user = (await earlier.who()) as UserActor
  await createKey(runtime(), user, { name: "CI", limit: null, expiresAt: null })
  await mails()
  const browser = await signIn(subject, groups)
  expect(await roleOf(subject)).toBeNull()
  expect(await earlier.who()).toBeNull()
  expect(await browser.who()).toMatchObject({ userId: user.userId, role: "owner" })
  expect((await browser.who())?.accountId).not.toBe(owner.accountId)
  expect((await auditOf())[0]).toEqual(["member.remove", emailOf(subject), null, "The OpenID provider"])
  expect(await listCreations(runtime(), owner)).toMatchObject([
    { kind: "key", createdBy: { email: emailOf(subject), role: null }, isLeft: true },
  ])
  expect((await mails()).map(([to, , intro]) => [to, intro])).toContainEqual([
    emailOf(subject),
    "You signed in with the OpenID provider, and none of your groups there has a role in the account “Acme”. You were therefore removed from it. What you created there, such as API keys, keeps working until an owner ends it. You keep your sign-in and your other accounts:",
  ])
})

test("entries that no deletion of the person finds have no address", async () => {
  provider.people.set("una", { email: emailOf("una"), email_verified: true, groups: ["engineers"] })
  provider.next.subject = "una"
  const browser = new TestBrowser(origin)
  browser.send = (url, init = {}) => {
    const headers = { ...init.headers, "x-svc-client": "203.0.113.9" }
    return TestBrowser.prototype.send.call(browser, url, { ...init, headers })
  }
  await browser.signIn()
  const { rows } = await app.pool.query(
    `SELECT action, client_address FROM audit_event
     WHERE account_id = $1 AND action IN ('member.add', 'session.create') AND actor <> $2 ORDER BY action`,
    [owner.accountId, `user:${owner.userId}`],
  )
  expect(rows).toEqual([
    { action: "member.add", client_address: null },
    { action: "session.create", client_address: "203.0.113.9" },
  ])
})

test("groups change no owner, also not the last one", async () => {
  await signIn("cyd", ["staff"])
  await app.pool.query(
    "UPDATE member SET role = 'owner' WHERE account_id = $1 AND user_id IN (SELECT id FROM app_user WHERE email = $2)",
    [owner.accountId, emailOf("cyd")],
  )
  await signIn("cyd", ["engineers"])
  await signIn("cyd", [])
  await app.pool.query("DELETE FROM member WHERE user_id = $1", [owner.userId])
  const browser = await signIn("cyd", [])
  expect(await browser.who()).toMatchObject({ accountId: owner.accountId, role: "owner" })
})

test("a mailed link changes no role, and a person whose link is not confirmed gets none", async () => {
  await joinAccount(owner, "viewer", await signUp(emailOf("dan")))
  const browser = await signIn("dan", ["engineers"])
  expect(await browser.who()).toBeNull()
  expect(await roleOf("dan")).toBe("viewer")
  await browser.post("callback/identity", { token: (await linkingToken(emailOf("dan"))) ?? "" })
  expect(await roleOf("dan")).toBe("viewer")
  await browser.signIn()
  expect(await roleOf("dan")).toBe("developer")
})

test("without the setting, no group gives or takes a role", async () => {
  await signIn("eve", ["engineers"])
  Object.assign(app.env, { OIDC_ROLE_CLAIM: undefined, OIDC_ACCOUNT: undefined, OIDC_ROLES: undefined })
  await signIn("eve", [])
  await signIn("fay", ["engineers"])
  expect([await roleOf("eve"), await roleOf("fay")]).toEqual(["developer", null])
})

test("a logout at the provider during a sign-in keeps its groups from being applied", async () => {
  await signIn("gus", [])
  provider.people.set("gus", { email: emailOf("gus"), email_verified: true, groups: ["engineers"] })
  const browser = new TestBrowser(origin)
  const callback = await browser.callback()
  const token = await provider.logoutToken("gus", { iat: Math.floor(Date.now() / 1_000) + 5 })
  await meanwhile(
    () => browser.follow(callback),
    (client) => client.query("LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE"),
    async () => {
      const body = new URLSearchParams({ logout_token: token })
      await fetch(`${origin}/api/auth/backchannel-logout`, { method: "POST", body })
    },
  )
  expect([await browser.who(), await roleOf("gus")]).toEqual([null, null])
  await app.pool.query("DELETE FROM provider_logout")
})

test("a sign-in whose token is older than the groups that were applied last gives no role and no session", async () => {
  await signIn("hal", [])
  await app.pool.query("UPDATE user_identity SET groups_at = now() + interval '1 minute' WHERE subject = 'hal'")
  const browser = await signIn("hal", ["engineers"])
  expect([await browser.who(), await roleOf("hal")]).toEqual([null, null])
  expect(browser.visited.at(-1)).toBe(`${origin}/sign-in?problem=oidc_failed`)
})

test("a suspended account loses a person, too, who gets no session if no other account is active", async () => {
  const browser = await signIn("ivy", ["engineers"])
  const { userId } = (await browser.who()) as UserActor
  await app.pool.query("UPDATE account SET status = 'suspended' WHERE id = $1", [owner.accountId])
  const { rows } = await app.pool.query("SELECT account_id FROM member WHERE user_id = $1 AND role = 'owner'", [userId])
  const again = await signIn("ivy", [])
  expect(await roleOf("ivy")).toBeNull()
  expect(await again.who()).toMatchObject({ accountId: rows[0].account_id })

  await app.pool.query("UPDATE account SET status = 'active' WHERE id = $1", [owner.accountId])
  await signIn("ivy", ["engineers"])
  await setAccountStatus(runtime(), operatorFor(rows[0].account_id, OPERATOR), "suspended")
  const last = await signIn("ivy", [])
  expect([await last.who(), await roleOf("ivy")]).toEqual([null, null])
  expect(last.visited.at(-1)).toBe(`${origin}/sign-in?problem=suspended`)
})

test("after the account was closed, people still sign in, and the log says so", async () => {
  await app.pool.query("UPDATE account SET status = 'closed' WHERE id = $1", [owner.accountId])
  const warn = vi.spyOn(app.log, "warn")
  const browser = await signIn("jim", ["engineers"])
  expect((await browser.who())?.role).toBe("owner")
  expect(warn.mock.calls.map(([, fields]) => fields?.event)).toEqual(["sign_in.account_closed"])
  warn.mockRestore()
})

test("a person who is deleted during the sign-in joins nothing", async () => {
  const browser = await signIn("kim", [])
  const { userId } = (await browser.who()) as UserActor
  provider.people.set("kim", { email: emailOf("kim"), email_verified: true, groups: ["engineers"] })
  const callback = await browser.callback()
  await meanwhile(
    () => browser.follow(callback),
    (client) => client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [userId]),
    (client) => eraseUser(app, client, { userId, email: emailOf("kim") }),
  )
  const { rows } = await app.pool.query("SELECT FROM member WHERE user_id = $1", [userId])
  expect(rows).toEqual([])
})

test("concurrent sign-ins of a person leave one membership and one entry", async () => {
  await signIn("lea", [])
  provider.people.set("lea", { email: emailOf("lea"), email_verified: true, groups: ["finance"] })
  const browsers = [1, 2, 3].map(() => new TestBrowser(origin))
  const callbacks: string[] = []
  for (const browser of browsers) callbacks.push(await browser.callback())
  await Promise.all(browsers.map((browser, i) => browser.follow(callbacks[i] ?? "")))
  expect(await Promise.all(browsers.map(async (browser) => (await browser.who())?.role))).toEqual(
    browsers.map(() => "billing"),
  )
  expect((await auditOf()).filter(([action]) => action === "member.add")).toHaveLength(1)
})
