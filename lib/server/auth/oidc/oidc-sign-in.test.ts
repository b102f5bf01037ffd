import { beforeEach, expect, test, vi } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { emailTokenHashes } from "@/lib/server/auth/change-email"
import { confirmEmail } from "@/lib/server/auth/confirm-email"
import { inviteOperator } from "@/lib/server/auth/operators"
import { eraseUser } from "@/lib/server/closing/erase"
import { memoryWindows } from "@/lib/server/limits/windows"
import { isConfirmed, OPERATOR, VISITOR } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { Scope } from "@/lib/shared/auth/confirmations"
import { afterFile } from "@/test/after-file"
import { linkingToken, TestBrowser, testOpenId } from "@/test/openid-sign-in"
import { post } from "@/test/sign-in"
import { meanwhile } from "@/test/waits-for-lock"

const stdout = vi.spyOn(process.stdout, "write")
beforeEach(() => {
  stdout.mockReset().mockReturnValue(true)
})
afterFile(() => stdout.mockRestore())

const { app, provider, origin } = await testOpenId()

/** Returns a new browser, in which a person signs in next. */
function browserOf(subject: string | null, email?: string, isVerified: boolean | undefined = true): TestBrowser {
  if (subject !== null)
    provider.people.set(subject, {
      ...(email ? { email } : {}),
      ...(isVerified === undefined ? {} : { email_verified: isVerified }),
    })
  provider.next.subject = subject
  return new TestBrowser(origin)
}

const usersOf = async (email: string) =>
  (await app.pool.query<{ id: string }>("SELECT id FROM app_user WHERE email = $1", [email])).rows

test("a new person becomes a user with an account, and a second sign-in finds the same user", async () => {
  const first = browserOf("ada", "ada@example.com")
  expect(await first.signIn("/keys")).toBe("/keys")
  const user = await first.who()
  expect(user).toMatchObject({ email: "ada@example.com", role: "owner" })
  const second = browserOf("ada", "renamed@example.com")
  expect(await second.signIn()).toBe("/playground")
  expect(await second.who()).toMatchObject({ userId: user?.userId, email: "ada@example.com" })
  const { rows } = await app.pool.query("SELECT issuer, subject FROM user_identity WHERE user_id = $1", [user?.userId])
  expect(rows).toEqual([{ issuer: provider.url, subject: "ada" }])
})

test("the request to the provider has PKCE, state and nonce, and asks for nothing but the address", async () => {
  const browser = browserOf("ada", "ada@example.com")
  await browser.callback()
  const request = new URL(browser.visited[1] ?? "")
  expect(request.origin).toBe(provider.url)
  expect(Object.fromEntries(request.searchParams)).toEqual({
    client_id: "console",
    scope: "openid email",
    response_type: "code",
    redirect_uri: `${origin}/api/auth/callback/oidc`,
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  })
})

test("a person whose verified address is a user's gets no session until that user confirms a mail in the same browser", async () => {
  const { userId } = await createAccount(runtime(), VISITOR, { email: "bob@example.com" })
  const browser = browserOf("bob", "bob@example.com")
  expect(await browser.signIn()).toBe("/sign-in?problem=linking")
  expect(await browser.who()).toBeNull()
  const token = (await linkingToken("bob@example.com")) ?? ""
  expect(await browser.post("callback/identity", { token })).toBe(`${origin}/sign-in?problem=linked`)
  expect(await browser.who()).toBeNull()
  expect(await browser.signIn()).toBe("/playground")
  expect(await browser.who()).toMatchObject({ userId })
  const audit = await app.pool.query("SELECT actor FROM audit_event WHERE action = 'user.link'")
  expect(audit.rows).toEqual([{ actor: `user:${userId}` }])
  expect(await browser.post("callback/identity", { token })).toBe(`${origin}/sign-in?problem=not_linked`)
})

test("a takeover with a verified foreign address fails even when the victim opens the mailed link", async () => {
  await createAccount(runtime(), VISITOR, { email: "victim@example.com" })
  const attacker = browserOf("mallory", "victim@example.com")
  expect(await attacker.signIn()).toBe("/sign-in?problem=linking")
  const victim = new TestBrowser(origin)
  const token = (await linkingToken("victim@example.com")) ?? ""
  expect(token).not.toBe("")
  expect(await victim.post("callback/identity", { token })).toBe(`${origin}/sign-in?problem=not_linked`)
  expect(await attacker.signIn()).toBe("/sign-in?problem=linking")
  expect(await attacker.who()).toBeNull()
})

test.each([
  ["unverified", false],
  ["of a provider that does not say whether it is verified", undefined],
])("a takeover with a foreign address that is %s fails, without a mail", async (name, isVerified) => {
  const email = `${name.slice(0, 3)}@example.com`
  await createAccount(runtime(), VISITOR, { email })
  const attacker = browserOf(`mallory-${name.slice(0, 3)}`, email, isVerified)
  expect(await attacker.signIn()).toBe("/sign-in?problem=unverified")
  expect(await attacker.who()).toBeNull()
  expect(await linkingToken(email)).toBeNull()
})

test("a new person with an unverified address or without one becomes no user", async () => {
  expect(await browserOf("new", "new@example.com", false).signIn()).toBe("/sign-in?problem=unverified")
  expect(await browserOf("bare").signIn()).toBe("/sign-in?problem=unverified")
  expect(await usersOf("new@example.com")).toEqual([])
})

test("at most five mails a day ask a user to confirm, and after that the page says so", async () => {
  await createAccount(runtime(), VISITOR, { email: "flood@example.com" })
  const pages: string[] = []
  for (let i = 0; i < 7; i++) pages.push(await browserOf("flood", "flood@example.com").signIn())
  const [sent, limited] = ["/sign-in?problem=linking", "/sign-in?problem=linking_limit"]
  expect(pages).toEqual([sent, sent, sent, sent, sent, limited, limited])
  const { rows } = await app.pool.query(
    "SELECT count(*)::int AS sent FROM identity_link l JOIN app_user u ON u.id = l.user_id WHERE u.email = $1",
    ["flood@example.com"],
  )
  expect(rows).toEqual([{ sent: 5 }])
})

/** Changes a user's address as the mails to both addresses do. */
async function moveTo(userId: string, email: string): Promise<void> {
  const token = "a".repeat(64)
  const [hash] = emailTokenHashes(runtime(), token)
  await app.pool.query(
    `INSERT INTO email_change (id, user_id, new_email, old_token_hash, new_token_hash, old_confirmed_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, now(), now() + interval '1 hour')`,
    [newId(), userId, email, `other-${userId}`, hash],
  )
  expect(await confirmEmail(runtime(), token, null)).toBe("changed")
}

test("a mailed link to confirm a person ends when the user gets another address", async () => {
  const { userId } = await createAccount(runtime(), VISITOR, { email: "before@example.com" })
  const browser = browserOf("before", "before@example.com")
  expect(await browser.signIn()).toBe("/sign-in?problem=linking")
  const token = (await linkingToken("before@example.com")) ?? ""
  await moveTo(userId, "after@example.com")
  expect(await browser.post("callback/identity", { token })).toBe(`${origin}/sign-in?problem=not_linked`)
  const { rows } = await app.pool.query("SELECT FROM user_identity WHERE user_id = $1", [userId])
  expect(rows).toEqual([])
})

test("a mailed link to confirm a person waits while the user is deleted, and then links nobody", async () => {
  const { userId } = await createAccount(runtime(), VISITOR, { email: "wait@example.com" })
  const browser = browserOf("wait", "wait@example.com")
  expect(await browser.signIn()).toBe("/sign-in?problem=linking")
  const token = (await linkingToken("wait@example.com")) ?? ""
  const confirming = meanwhile(
    () => browser.post("callback/identity", { token }),
    (client) => client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [userId]),
    (client) => eraseUser(app, client, { userId, email: "wait@example.com" }),
  )
  expect(await confirming).toBe(`${origin}/sign-in?problem=not_linked`)
  const { rows } = await app.pool.query("SELECT FROM user_identity WHERE user_id = $1", [userId])
  expect(rows).toEqual([])
})

test("a mail that could not be sent does not count towards the mails of a day", async () => {
  const { userId } = await createAccount(runtime(), VISITOR, { email: "unsent@example.com" })
  const sending = vi.spyOn(app.mailer, "send").mockRejectedValueOnce(new Error("no mail server"))
  const browser = browserOf("unsent", "unsent@example.com")
  expect(await browser.signIn()).toBe("/sign-in?problem=oidc_failed")
  expect(sending).toHaveBeenCalledOnce()
  sending.mockRestore()
  const { rows } = await app.pool.query("SELECT FROM identity_link WHERE user_id = $1", [userId])
  expect(rows).toEqual([])
})

test("SIGN_UP applies to new people of the provider, and not to known ones", async () => {
  const known = browserOf("known", "known@example.com")
  await known.signIn()
  app.env.SIGN_UP = "off"
  expect(await browserOf("late", "late@example.com").signIn()).toBe("/sign-in?problem=sign_up")
  expect(await browserOf("known", "known@example.com").signIn()).toBe("/playground")
  app.env.SIGN_UP = "open"
  expect(await usersOf("late@example.com")).toEqual([])
})

test.each(["OPERATOR_EMAILS names", "an admin invited"])(
  "the address of an operator whom %s signs up through no provider, and is linked after a mail",
  async (how) => {
    const email = `root-${how.slice(0, 2).toLowerCase()}@example.com`
    const { OPERATOR_EMAILS } = app.env
    if (how.startsWith("an admin")) await inviteOperator(runtime(), OPERATOR, { email, role: "support" })
    else app.env.OPERATOR_EMAILS = new Set([email])
    const browser = browserOf(email, email)
    expect(await browser.signIn()).toBe("/sign-in?problem=sign_up")
    expect(await usersOf(email)).toEqual([])
    await createAccount(runtime(), OPERATOR, { email })
    expect(await browser.signIn()).toBe("/sign-in?problem=linking")
    app.env.OPERATOR_EMAILS = OPERATOR_EMAILS
  },
)

test("a sign-in with the provider opens the operator's area for nobody, also not for a user who becomes an operator later", async () => {
  const browser = browserOf("later", "later@example.com")
  expect(await browser.signIn()).toBe("/playground")
  await inviteOperator(runtime(), OPERATOR, { email: "later@example.com", role: "support" })
  const isOpen = async (scope: Scope) => {
    const user = await browser.who()
    return user !== null && isConfirmed(user, scope)
  }
  expect([await isOpen("operator"), await isOpen("spending")]).toEqual([false, true])
  const { operatorRole, sessionId } = (await browser.who()) ?? {}
  expect(operatorRole).toBe("support")
  await app.pool.query("UPDATE session SET operator_confirmed_at = now() WHERE id = $1", [sessionId])
  expect(await isOpen("operator")).toBe(true)
})

test("a deleted user's person signs in as a new user", async () => {
  const browser = browserOf("gone", "gone@example.com")
  await browser.signIn()
  const before = await browser.who()
  const user = { userId: before?.userId ?? "", email: "gone@example.com" }
  await inTransaction(app.pool, (client) => eraseUser(app, client, user))
  expect(await browser.who()).toBeNull()
  expect(await browser.signIn()).toBe("/playground")
  expect((await browser.who())?.userId).not.toBe(before?.userId)
})

test("a callback with another browser's state, a changed state, a changed issuer or without cookies opens no session", async () => {
  const [one, other] = [browserOf("eve", "eve@example.com"), new TestBrowser(origin)]
  const [callback, foreign] = [await one.callback(), await other.callback()]
  const changed = (name: string, value: string) => {
    const url = new URL(callback)
    url.searchParams.set(name, value)
    return url.toString()
  }
  const failed = `${origin}/sign-in?problem=oidc_failed`
  expect(await new TestBrowser(origin).follow(callback)).toBe(failed)
  expect(await other.follow(callback)).toBe(failed)
  expect(await one.follow(foreign)).toBe(failed)
  const next = await one.callback()
  for (const [name, value] of [
    ["state", "x".repeat(43)],
    ["iss", "https://evil.example"],
    ["code", "x".repeat(43)],
  ] as const) {
    const url = new URL(next)
    url.searchParams.set(name, value)
    const fresh = new TestBrowser(origin)
    for (const [host, jar] of one.cookies) fresh.cookies.set(host, new Map(jar))
    expect([name, await fresh.follow(url.toString())]).toEqual([name, failed])
    expect(await fresh.who()).toBeNull()
  }
  expect(changed("state", "y")).not.toBe(callback)
})

test("a callback that is sent again opens no second session", async () => {
  const browser = browserOf("rex", "rex@example.com")
  const callback = await browser.callback()
  const copy = new TestBrowser(origin)
  for (const [host, jar] of browser.cookies) copy.cookies.set(host, new Map(jar))
  expect(await browser.follow(callback)).toBe(`${origin}/playground`)
  expect(await browser.follow(callback)).toBe(`${origin}/sign-in?problem=oidc_failed`)
  expect(await copy.follow(callback)).toBe(`${origin}/sign-in?problem=oidc_failed`)
})

test.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
  "a sign-in never leads to %s",
  async (next) => {
    expect(await browserOf("ada", "ada@example.com").signIn(next)).toBe("/playground")
  },
)

test("a sign-in that the provider refuses leads to the sign-in page", async () => {
  expect(await browserOf(null).signIn("/keys")).toBe("/sign-in?problem=oidc_denied&next=%2Fkeys")
})

test("while the provider is unreachable, the page says so, and the mailed link works", async () => {
  provider.setOff(true)
  const browser = browserOf("ada", "ada@example.com")
  expect(await browser.signIn()).toBe("/sign-in?problem=oidc_unreachable")
  expect(await browser.post("signin/email", { email: "ada@example.com" })).toBe(`${origin}/sign-in/check`)
  provider.setOff(false)
  expect(await browser.signIn()).toBe("/playground")
})

test("without `link` in SIGN_IN, no link is mailed and none signs in", async () => {
  const links = app.env.SIGN_IN
  app.env.SIGN_IN = { link: false, oidc: true }
  const browser = new TestBrowser(origin)
  expect(await browser.post("signin/email", { email: "ada@example.com", next: "/keys" })).toBe(
    `${origin}/sign-in?next=%2Fkeys`,
  )
  expect(await browser.post("callback/email", { email: "ada@example.com", token: "0".repeat(64) })).toBe(
    `${origin}/sign-in`,
  )
  app.env.SIGN_IN = { link: true, oidc: false }
  expect(await browserOf("ada", "ada@example.com").signIn()).toBe("/sign-in")
  app.env.SIGN_IN = links
})

test("one client has five steps of a sign-in a second, and others are not delayed", async () => {
  const step = (client: string) =>
    post("signin/oidc", {}, { headers: { "x-svc-client": client, origin } }).then(({ headers }) =>
      headers.get("location"),
    )
  const { rates } = app
  // All steps are in one second, however long they take.
  app.rates = memoryWindows(() => 0)
  const steps = await Promise.all(Array.from({ length: 8 }, () => step("192.0.2.9")))
  expect(steps.filter((location) => location === "/sign-in?problem=oidc_limit")).toHaveLength(3)
  expect(await step("192.0.2.10")).toBeNull()
  app.rates = rates
})

test("the log has neither codes nor states", async () => {
  const lines: unknown[] = []
  const spies = (["info", "warn", "error"] as const).map((level) =>
    vi.spyOn(app.log, level).mockImplementation((...line: unknown[]) => void lines.push(line)),
  )
  // The tests before used up the lines of this minute.
  const count = vi.spyOn(app.refusals, "count").mockReturnValue(true)
  const browser = browserOf("ivy", "ivy@example.com")
  const callback = new URL(await browser.callback())
  callback.searchParams.set("state", "s".repeat(43))
  await browser.follow(callback.toString())
  for (const spy of [...spies, count]) spy.mockRestore()
  const text = JSON.stringify(lines)
  expect(text).toContain("state mismatch")
  expect(text).toContain("sign_in.oidc_refused")
  for (const secret of ["s".repeat(43), callback.searchParams.get("code") ?? "none", "ivy@example.com"])
    expect(text).not.toContain(secret)
})
