import { errors } from "jose"
import { expect, test, vi } from "vitest"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { TestBrowser, testOpenId } from "@/test/openid-sign-in"
import { meanwhile, waitsForLock } from "@/test/waits-for-lock"

const { app, provider, origin } = await testOpenId()

async function signedIn(subject: string): Promise<TestBrowser> {
  provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true })
  provider.next.subject = subject
  const browser = new TestBrowser(origin)
  await browser.signIn()
  expect(await browser.who()).not.toBeNull()
  return browser
}

const sidOf = async (browser: TestBrowser): Promise<string> =>
  (await app.pool.query("SELECT oidc_sid FROM session WHERE id = $1", [(await browser.who())?.sessionId])).rows[0]
    .oidc_sid

const send = (token: string): Promise<Response> =>
  fetch(`${origin}/api/auth/backchannel-logout`, { method: "POST", body: new URLSearchParams({ logout_token: token }) })

test("a logout of one session ends it and no other of the person", async () => {
  const [phone, desktop] = [await signedIn("ada"), await signedIn("ada")]
  await provider.logOut("ada", await sidOf(phone))
  expect([await phone.who(), (await desktop.who())?.email]).toEqual([null, "ada@example.com"])
  const { rows } = await app.pool.query("SELECT count(*)::int AS ends FROM audit_event WHERE action = 'session.end'")
  expect(rows).toEqual([{ ends: 1 }])
})

test("a logout of a person ends all their sessions with the provider, and no one else's", async () => {
  const [phone, desktop, other] = [await signedIn("bob"), await signedIn("bob"), await signedIn("eve")]
  await provider.logOut("bob")
  expect([await phone.who(), await desktop.who()]).toEqual([null, null])
  expect(await other.who()).not.toBeNull()
})

test("a logout token that is sent again ends no later session", async () => {
  const first = await signedIn("cyd")
  // A sign-in in the second of the logout opens no session.
  const token = await provider.logoutToken("cyd", { iat: Math.floor(Date.now() / 1_000) - 2 })
  expect((await send(token)).status).toBe(200)
  expect(await first.who()).toBeNull()
  const later = await signedIn("cyd")
  await app.pool.query("UPDATE session SET created_at = created_at + interval '12 seconds' WHERE id = $1", [
    (await later.who())?.sessionId,
  ])
  expect((await send(token)).status).toBe(200)
  expect(await later.who()).not.toBeNull()
})

/** Visits the provider's callback, and sends a logout once its tokens are verified and no session is stored. */
async function loggedOutBetween(browser: TestBrowser, token: string): Promise<string> {
  const callback = await browser.callback()
  return meanwhile(
    () => browser.follow(callback),
    (client) => client.query("LOCK TABLE app_user IN ACCESS EXCLUSIVE MODE"),
    async () => expect((await send(token)).status).toBe(200),
  )
}

const inTheFuture = () => ({ iat: Math.floor(Date.now() / 1_000) + 5 })

test.each([
  ["a logout of the person during a sign-in lets it open no session", {}, true],
  ["a logout of the person's other session lets a sign-in go on", { sid: "another" }, false],
  ["a logout that names only another session lets a sign-in go on", { sub: undefined, sid: "another" }, false],
])("%s", async (_name, names, isEnded) => {
  const browser = await signedIn("jan")
  await app.pool.query("DELETE FROM session")
  const token = await provider.logoutToken("jan", { ...inTheFuture(), ...names })
  const path = (await loggedOutBetween(browser, token)).slice(origin.length)
  expect(path).toBe(isEnded ? "/sign-in?problem=oidc_failed" : "/playground")
  expect((await browser.who()) === null).toBe(isEnded)
  await app.pool.query("DELETE FROM provider_logout")
})

test("a logout waits for a sign-in that is opening its session, and then ends it", async () => {
  const browser = await signedIn("kai")
  const callback = await browser.callback()
  const token = await provider.logoutToken("kai")
  const { following, sending } = await inTransaction(app.pool, async (client) => {
    await client.query("SELECT FROM user_identity WHERE subject = 'kai' FOR UPDATE")
    const following = browser.follow(callback)
    await waitsForLock(1)
    const sending = send(token)
    await waitsForLock(2)
    return { following, sending }
  })
  expect([await following, (await sending).status]).toEqual([`${origin}/playground`, 200])
  expect(await browser.who()).toBeNull()
})

test("a logout of one session also ends a session for which the provider named none", async () => {
  const [unnamed, other] = [await signedIn("gus"), await signedIn("gus")]
  await app.pool.query("UPDATE session SET oidc_sid = NULL WHERE id = $1", [(await unnamed.who())?.sessionId])
  expect((await send(await provider.logoutToken("gus", { sid: "another" }))).status).toBe(200)
  expect(await unnamed.who()).toBeNull()
  expect(await other.who()).not.toBeNull()
})

test("a logout by a provider whose clock is ten seconds behind ends the session", async () => {
  const browser = await signedIn("hal")
  const behind = Math.floor(Date.now() / 1_000) - 10
  expect((await send(await provider.logoutToken("hal", { iat: behind }))).status).toBe(200)
  expect(await browser.who()).toBeNull()
})

test("while the provider's keys cannot be fetched, a logout gets a 503, so that the provider can send it again", async () => {
  const browser = await signedIn("ivo")
  const token = await provider.logoutToken("ivo")
  const get = vi.spyOn(app.issuerKeys, "get").mockResolvedValue(() => {
    throw new errors.JOSEError("Expected 200 OK from the JSON Web Key Set HTTP response")
  })
  expect((await send(token)).status).toBe(503)
  get.mockRestore()
  expect((await send(token)).status).toBe(200)
  expect(await browser.who()).toBeNull()
})

test("what is no logout token of this issuer for this client ends nothing", async () => {
  const browser = await signedIn("dan")
  const token = await provider.logoutToken("dan")
  const [head = "", body = "", signature = ""] = token.split(".")
  const claims = JSON.parse(Buffer.from(body, "base64url").toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const forged = [
    "",
    "no-token",
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    `${head}.${encode({ ...claims, sub: "ada" })}.${signature}`,
    `${encode({ alg: "none" })}.${body}.`,
    await provider.logoutToken("dan", { aud: "another-client" }),
    await provider.logoutToken("dan", { iss: "https://evil.example" }),
    await provider.logoutToken("dan", { events: {} }),
    await provider.logoutToken("dan", { nonce: "n" }),
    await provider.logoutToken("dan", { iat: claims.iat - 3_600 }),
    await provider.logoutToken("dan", { exp: claims.iat - 60 }),
    await provider.logoutToken("dan", { sub: undefined }),
  ]
  expect(await Promise.all(forged.map(async (one) => (await send(one)).status))).toEqual(forged.map(() => 400))
  expect(await browser.who()).not.toBeNull()
  expect((await send(token)).status).toBe(200)
  expect(await browser.who()).toBeNull()
})
