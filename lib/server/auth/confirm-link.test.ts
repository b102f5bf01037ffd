import { createHash } from "node:crypto"
import { expect, onTestFinished, test, vi } from "vitest"
import { eraseUser } from "@/lib/server/closing/erase"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { backdateLinks, confirm, type Link, newLink, post, sessionOf, stateOf, testSignIn, whoIs } from "@/test/sign-in"
import { meanwhile } from "@/test/waits-for-lock"
import { createAdapter } from "./adapter"
import { newSessionToken } from "./session-cookie"

const { app } = await testSignIn()

const sessionCount = async (email: string): Promise<number> => {
  const { rows } = await app.pool.query(
    "SELECT 1 FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1",
    [email],
  )
  return rows.length
}

test("a first sign-in creates the account, opens a session and leads to the requested page", async () => {
  const link = await newLink("Ada@Example.com", "/usage")
  expect(link).toMatchObject({ email: "ada@example.com", next: "/usage" })
  const response = await confirm(link)
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("/usage")
  const actor = await whoIs(sessionOf(response))
  expect(actor).toMatchObject({ email: "ada@example.com", role: "owner" })
  const { rows } = await app.pool.query("SELECT balance_pico FROM account WHERE id = $1", [actor?.accountId])
  expect(rows).toEqual([{ balance_pico: "1000000000000" }])
})

test("the session cookie is hidden from scripts and lasts 30 days", async () => {
  const response = await confirm(await newLink("cookie@example.com"))
  const [cookie = ""] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^svcd-session=[A-Za-z0-9_-]{43}; /)
  expect(cookie).toContain("; HttpOnly")
  expect(cookie).toContain("; SameSite=Lax")
  expect(cookie).toContain("; Path=/")
  expect(cookie).not.toContain("Domain")
  const expires = Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? "")
  expect((expires - Date.now()) / 86_400_000).toBeCloseTo(30, 2)
})

test("neither the session token nor the link's token is stored in clear text", async () => {
  const link = await newLink("hashed@example.com")
  const stored = await app.pool.query("SELECT token_hash FROM sign_in_token WHERE email = 'hashed@example.com'")
  const token = sessionOf(await confirm(link)) ?? ""
  const { rows } = await app.pool.query(
    "SELECT s.token_hash FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = 'hashed@example.com'",
  )
  expect(rows).toEqual([{ token_hash: createHash("sha256").update(token).digest() }])
  expect(stored.rows[0].token_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(stored.rows[0].token_hash).not.toBe(link.token)
  expect(stored.rows[0].token_hash).not.toBe(createHash("sha256").update(link.token).digest("hex"))
})

test("50 concurrent confirmations of one link open exactly one session", async () => {
  const link = await newLink("race@example.com")
  const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(link)))
  expect(responses.filter((response) => sessionOf(response))).toHaveLength(1)
  expect(responses.filter((response) => response.headers.get("location") === "/sign-in?problem=link")).toHaveLength(49)
  expect(await sessionCount("race@example.com")).toBe(1)
})

test("a used link fails and its address is kept in the form", async () => {
  const link = await newLink("used@example.com", "/keys")
  await confirm(link)
  const response = await confirm(link)
  expect(response.headers.get("location")).toBe("/sign-in?problem=link&next=%2Fkeys")
  expect(stateOf(response)).toEqual({ email: "used@example.com" })
  expect(sessionOf(response)).toBeUndefined()
})

test("a link expires 10 minutes after it was requested, and is then refused", async () => {
  const late = await newLink("late@example.com")
  await app.pool.query("UPDATE sign_in_token SET expires_at = now() - interval '1 s' WHERE email = 'late@example.com'")
  expect(sessionOf(await confirm(late))).toBeUndefined()
  await newLink("time@example.com")
  const { rows } = await app.pool.query(
    "SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM sign_in_token WHERE email = 'time@example.com'",
  )
  expect(rows[0].seconds).toBeGreaterThan(590)
  expect(rows[0].seconds).toBeLessThanOrEqual(600)
})

test("a link signs in its own address only, and still works after another address tried it", async () => {
  const link = await newLink("mine@example.com")
  expect(sessionOf(await confirm({ ...link, email: "eve@example.com" }))).toBeUndefined()
  expect(sessionOf(await confirm(link))).toBeDefined()
  expect(await sessionCount("eve@example.com")).toBe(0)
})

test.each([
  ["an unknown token", { token: "0".repeat(64), email: "ada@example.com" }],
  ["an empty token", { token: "", email: "ada@example.com" }],
  ["SQL in place of a token", { token: "' OR true --", email: "ada@example.com" }],
  ["no address", { token: "0".repeat(64), email: "" }],
  ["no fields", {}],
])("%s opens no session", async (_name, fields) => {
  const response = await post("callback/email", fields as Record<string, string>)
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("/sign-in?problem=link")
  expect(sessionOf(response)).toBeUndefined()
})

test("only the newest three links of an address work", async () => {
  const links: Link[] = []
  for (let i = 0; i < 4; i++) {
    links.push(await newLink("many@example.com"))
    await backdateLinks("many@example.com", "2 minutes")
  }
  const opened = []
  for (const link of links) opened.push(sessionOf(await confirm(link)) !== undefined)
  expect(opened).toEqual([false, true, true, true])
})

test("a second sign-in of the same person creates no second account and ends the browser's earlier session", async () => {
  const first = sessionOf(await confirm(await newLink("again@example.com")))
  const before = await whoIs(first)
  await backdateLinks("again@example.com", "2 minutes")
  const second = sessionOf(await confirm(await newLink("again@example.com"), { cookie: `svcd-session=${first}` }))
  expect((await whoIs(second))?.accountId).toBe(before?.accountId)
  expect(await whoIs(first)).toBeNull()
})

/** Runs a step of a sign-in, deletes the user while the step waits for the user's lock, and returns the result. */
const deleteDuring = <Result>(user: UserActor, step: () => Promise<Result>): Promise<Result> =>
  meanwhile(
    step,
    (client) => client.query("SELECT FROM app_user WHERE id = $1 FOR UPDATE", [user.userId]),
    (client) => eraseUser(runtime(), client, user),
  )

const whatIsLeft = async ({ userId }: UserActor) => {
  const { rows } = await app.pool.query(
    `SELECT email_verified_at, (SELECT count(*)::int FROM session WHERE user_id = u.id) AS sessions,
       (SELECT count(*)::int FROM member WHERE user_id = u.id) AS accounts FROM app_user u WHERE id = $1`,
    [userId],
  )
  return rows[0]
}

const NOTHING = { email_verified_at: null, sessions: 0, accounts: 0 }

test("a user who is deleted while opening a link gets no session and no new account: the link no longer works", async () => {
  const user = (await whoIs(sessionOf(await confirm(await newLink("leaving@example.com"))))) as UserActor
  await backdateLinks("leaving@example.com", "2 minutes")
  const link = await newLink("leaving@example.com")
  const failures = vi.spyOn(app.log, "error")
  onTestFinished(() => failures.mockRestore())
  const response = await deleteDuring(user, () => confirm(link))
  expect(response.headers.get("location")).toBe("/sign-in?problem=link")
  expect(stateOf(response)).toEqual({ email: "leaving@example.com" })
  expect(sessionOf(response)).toBeUndefined()
  expect(failures.mock.calls).toEqual([])
  expect(await whatIsLeft(user)).toEqual(NOTHING)
})

test("a user who is deleted just before the session is stored gets no session and no new account", async () => {
  const user = (await whoIs(sessionOf(await confirm(await newLink("left@example.com"))))) as UserActor
  let isDeleted = false
  const onEnded = () => {
    isDeleted = true
  }
  const { createSession } = createAdapter(runtime(), { clientAddress: null, onEnded })
  const session = { sessionToken: newSessionToken(), userId: user.userId, expires: new Date(Date.now() + 60_000) }
  await deleteDuring(user, async () => createSession?.(session))
  expect(isDeleted).toBe(true)
  expect(await whatIsLeft(user)).toEqual(NOTHING)
})

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "/outbox"])(
  "a sign-in never leads to %s",
  async (next) => {
    const link = await newLink(`to-${Buffer.from(next).toString("hex")}@example.com`, next)
    expect(link.next).toBe("/playground")
    expect((await confirm({ ...link, next })).headers.get("location")).toBe("/playground")
  },
)

test("signing out ends the session and deletes the cookie", async () => {
  const token = sessionOf(await confirm(await newLink("out@example.com")))
  const response = await post("signout", { a: "b" }, { cookie: `svcd-session=${token}` })
  expect(response.headers.get("location")).toBe("/")
  expect(response.headers.getSetCookie()).toEqual(["svcd-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"])
  expect(await whoIs(token)).toBeNull()
})

test.each([
  ["keeps what the console stored in the browser", {}, null],
  ["deletes it when the user asks for that", { clear: "on" }, '"storage"'],
])("signing out %s", async (_what, fields, header) => {
  for (const route of ["signout", "signout/everywhere"])
    expect((await post(route, { a: "b", ...fields })).headers.get("clear-site-data")).toBe(header)
})
