import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { testRuntime } from "../../test/database"
import { listOutbox } from "../mail/outbox"
import type { Runtime } from "../runtime"
import { answerAuthDoor } from "./doors"
import { actorOfCookies } from "./session-store"
import { readSignInState } from "./sign-in-state"

const ORIGIN = "http://localhost:3000"

let here: Runtime
let dataDir = ""
const printed = vi.spyOn(process.stdout, "write")

beforeAll(async () => {
  dataDir = await fs.mkdtemp(path.join(tmpdir(), "svc-auth-"))
  here = await testRuntime({ DATA_DIR: dataDir, WELCOME_CREDIT_USD: "1" })
})
beforeEach(() => {
  printed.mockReset().mockReturnValue(true)
})
afterAll(async () => {
  printed.mockRestore()
  await fs.rm(dataDir, { recursive: true })
})

interface Sent {
  headers?: Record<string, string>
  cookie?: string
}

function post(door: string, fields: Record<string, string>, { headers, cookie }: Sent = {}): Promise<Response> {
  const request = new Request(`${ORIGIN}/api/auth/${door}`, {
    method: "POST",
    headers: { origin: ORIGIN, ...(cookie ? { cookie } : {}), ...headers },
    body: new URLSearchParams(fields),
  })
  return answerAuthDoor(door, request)
}

interface Link {
  token: string
  email: string
  next: string
}

/** Asks for a link and reads it from the newest message of the outbox. */
async function newLink(email: string, next = ""): Promise<Link> {
  await post("signin/email", { email, next })
  const message = (await listOutbox()).find(({ to }) => to === email.toLowerCase())
  const fragment = new URLSearchParams(new URL(message?.link ?? "").hash.slice(1))
  return { token: fragment.get("t") ?? "", email: fragment.get("e") ?? "", next: fragment.get("n") ?? "" }
}

const confirm = (link: Link, sent?: Sent) => post("callback/email", { ...link }, sent)
const sessionOf = (response: Response) => /^svcd-session=([^;]+)/.exec(response.headers.getSetCookie().join("\n"))?.[1]
const stateOf = (response: Response) => {
  const text = response.headers.getSetCookie().find((cookie) => cookie.startsWith("svcd-sign-in="))
  return readSignInState(text?.slice("svcd-sign-in=".length).split(";")[0])
}
const whoIs = (token: string | undefined) => actorOfCookies(`svcd-session=${token}`, null)
const sessionCount = async (email: string): Promise<number> => {
  const { rows } = await here.pool.query(
    "SELECT 1 FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = $1",
    [email],
  )
  return rows.length
}
/** Makes the links of an address look sent earlier. */
const age = (email: string, by: string) =>
  here.pool.query("UPDATE sign_in_token SET created_at = created_at - $2::interval WHERE email = $1", [email, by])

test("a first sign-in makes the account and opens a session; the page asked for comes next", async () => {
  const link = await newLink("Ada@Example.com", "/usage")
  expect(link).toMatchObject({ email: "ada@example.com", next: "/usage" })
  const response = await confirm(link)
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("/usage")
  const actor = await whoIs(sessionOf(response))
  expect(actor).toMatchObject({ email: "ada@example.com", role: "owner" })
  const { rows } = await here.pool.query("SELECT balance_pico FROM account WHERE id = $1", [actor?.accountId])
  expect(rows).toEqual([{ balance_pico: "1000000000000" }])
})

test("the session cookie is for the browser alone and lasts 30 days", async () => {
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

test("neither the session token nor the link's token is in the database in clear", async () => {
  const link = await newLink("hashed@example.com")
  const stored = await here.pool.query("SELECT token_hash FROM sign_in_token WHERE email = 'hashed@example.com'")
  const token = sessionOf(await confirm(link)) ?? ""
  const { rows } = await here.pool.query(
    "SELECT s.token_hash FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.email = 'hashed@example.com'",
  )
  expect(rows).toEqual([{ token_hash: createHash("sha256").update(token).digest() }])
  expect(stored.rows[0].token_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(stored.rows[0].token_hash).not.toBe(link.token)
  expect(stored.rows[0].token_hash).not.toBe(createHash("sha256").update(link.token).digest("hex"))
})

test("50 confirms of one link at once open exactly one session", async () => {
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

test("a link is refused after its 10 minutes, and works just before", async () => {
  const late = await newLink("late@example.com")
  await here.pool.query("UPDATE sign_in_token SET expires_at = now() WHERE email = 'late@example.com'")
  expect(sessionOf(await confirm(late))).toBeUndefined()
  await newLink("time@example.com")
  const { rows } = await here.pool.query(
    "SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM sign_in_token WHERE email = 'time@example.com'",
  )
  expect(rows[0].seconds).toBeGreaterThan(590)
  expect(rows[0].seconds).toBeLessThanOrEqual(600)
})

test("a link signs in its own address only, and stays good when another tries it", async () => {
  const link = await newLink("mine@example.com")
  expect(sessionOf(await confirm({ ...link, email: "eve@example.com" }))).toBeUndefined()
  expect(sessionOf(await confirm(link))).toBeDefined()
  expect(await sessionCount("eve@example.com")).toBe(0)
})

test.each([
  ["an unknown token", { token: "0".repeat(64), email: "ada@example.com" }],
  ["an empty token", { token: "", email: "ada@example.com" }],
  ["a token that is none", { token: "' OR true --", email: "ada@example.com" }],
  ["no address", { token: "0".repeat(64), email: "" }],
  ["no fields", {}],
])("%s opens no session", async (_name, fields) => {
  const response = await post("callback/email", fields as Record<string, string>)
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe("/sign-in?problem=link")
  expect(sessionOf(response)).toBeUndefined()
})

test("of an address's links the newest three live", async () => {
  const links: Link[] = []
  for (let i = 0; i < 4; i++) {
    links.push(await newLink("many@example.com"))
    await age("many@example.com", "2 minutes")
  }
  const opened = []
  for (const link of links) opened.push(sessionOf(await confirm(link)) !== undefined)
  expect(opened).toEqual([false, true, true, true])
})

test("a second sign-in of the same person makes no second account and ends the browser's earlier session", async () => {
  const first = sessionOf(await confirm(await newLink("again@example.com")))
  const before = await whoIs(first)
  await age("again@example.com", "2 minutes")
  const second = sessionOf(await confirm(await newLink("again@example.com"), { cookie: `svcd-session=${first}` }))
  expect((await whoIs(second))?.accountId).toBe(before?.accountId)
  expect(await whoIs(first)).toBeNull()
})

test("a second send within a minute is refused with the time to wait, also to an unknown address", async () => {
  await post("signin/email", { email: "minute@example.com" })
  const response = await post("signin/email", { email: "minute@example.com" })
  expect(response.headers.get("location")).toBe("/sign-in/check")
  const seconds = ((stateOf(response).retryAtMs ?? 0) - Date.now()) / 1_000
  expect(seconds).toBeGreaterThan(55)
  expect(seconds).toBeLessThan(61)
  expect((await listOutbox()).filter(({ to }) => to === "minute@example.com")).toHaveLength(1)
})

test("20 sends at once to one address send one message", async () => {
  await Promise.all(Array.from({ length: 20 }, () => post("signin/email", { email: "burst@example.com" })))
  expect((await listOutbox()).filter(({ to }) => to === "burst@example.com")).toHaveLength(1)
})

test("the sixth send to an address within an hour is refused", async () => {
  for (let i = 0; i < 5; i++) {
    const response = await post("signin/email", { email: "hour@example.com" })
    expect(response.headers.get("location")).toBe("/sign-in/check")
    await age("hour@example.com", "2 minutes")
  }
  const sixth = await post("signin/email", { email: "hour@example.com" })
  expect(sixth.headers.get("location")).toBe("/sign-in?problem=limit")
  const minutes = ((stateOf(sixth).retryAtMs ?? 0) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(49)
  expect(minutes).toBeLessThanOrEqual(50.1)
})

const sendFrom = (client: string, i: number) =>
  post(
    "signin/email",
    { email: `n${i}@${client.replaceAll(/[^a-z0-9]/g, "-")}.example` },
    { headers: { "x-svc-client": client } },
  )

test("the eleventh send of a client within an hour is refused, whatever addresses it names", async () => {
  for (let i = 0; i < 10; i++) expect((await sendFrom("192.0.2.9", i)).headers.get("location")).toBe("/sign-in/check")
  expect((await sendFrom("192.0.2.9", 10)).headers.get("location")).toBe("/sign-in?problem=limit")
  expect((await sendFrom("192.0.2.10", 0)).headers.get("location")).toBe("/sign-in/check")
})

test("one IPv6 customer is one client", async () => {
  for (let i = 0; i < 10; i++) await sendFrom(`2001:db8:1:2::${i}`, i)
  expect((await sendFrom("2001:db8:1:2:ffff::1", 10)).headers.get("location")).toBe("/sign-in?problem=limit")
})

test("a client at this machine may ask for many addresses", async () => {
  for (let i = 0; i < 12; i++) expect((await sendFrom("127.0.0.1", i)).headers.get("location")).toBe("/sign-in/check")
})

test("known and unknown addresses get the same answer", async () => {
  await confirm(await newLink("known@example.com"))
  await age("known@example.com", "2 minutes")
  const known = await post("signin/email", { email: "known@example.com" })
  const unknown = await post("signin/email", { email: "never@example.com" })
  expect(known.status).toBe(unknown.status)
  expect(known.headers.get("location")).toBe(unknown.headers.get("location"))
  expect(Object.keys(stateOf(known))).toEqual(Object.keys(stateOf(unknown)))
})

test("what was typed instead of an address comes back to its form, and nothing is sent", async () => {
  const before = (await listOutbox())[0]?.id
  const response = await post("signin/email", { email: "ada＠example.com", next: "/keys" })
  expect(response.headers.get("location")).toBe("/sign-in?problem=email&next=%2Fkeys")
  expect(stateOf(response)).toEqual({ email: "ada＠example.com" })
  expect((await listOutbox())[0]?.id).toBe(before)
})

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "/outbox"])(
  "a sign-in never leads to %s",
  async (next) => {
    const link = await newLink(`to-${Buffer.from(next).toString("hex")}@example.com`, next)
    expect(link.next).toBe("/playground")
    expect((await confirm({ ...link, next })).headers.get("location")).toBe("/playground")
  },
)

test("the link is built from CONSOLE_URL, whatever Host and forwarding headers say", async () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }
  await post("signin/email", { email: "host@example.com" }, { headers })
  const message = (await listOutbox()).find(({ to }) => to === "host@example.com")
  expect(message?.link).toMatch(/^http:\/\/localhost:3000\/sign-in\/confirm#t=[0-9a-f]{64}&e=host%40example\.com/)
  expect(message?.text).not.toContain("evil")
})

test("without a mail server the terminal gets the link in one line", async () => {
  await post("signin/email", { email: "terminal@example.com" })
  const message = (await listOutbox()).find(({ to }) => to === "terminal@example.com")
  expect(printed.mock.calls.map(([text]) => text)).toEqual([
    `Sign-in link for terminal@example.com: ${message?.link}\n`,
  ])
})

test.each([undefined, "null", "https://evil.example", "http://localhost:4000", "https://localhost:3000"])(
  "a form from origin %j is refused at every door",
  async (origin) => {
    const link = await newLink(`o${String(origin).replaceAll(/[^a-z0-9]/g, "")}@example.com`)
    for (const door of ["signin/email", "callback/email", "signout"]) {
      const request = new Request(`${ORIGIN}/api/auth/${door}`, {
        method: "POST",
        headers: origin === undefined ? {} : { origin },
        body: new URLSearchParams({ ...link }),
      })
      expect((await answerAuthDoor(door, request)).status).toBe(403)
    }
    expect(sessionOf(await confirm(link))).toBeDefined()
  },
)

test("on this machine 127.0.0.1 is the same place as localhost", async () => {
  const response = await post("signout", { a: "b" }, { headers: { origin: "http://127.0.0.1:3000" } })
  expect(response.status).toBe(303)
})

test.each([
  "signin",
  "callback",
  "session",
  "csrf",
  "providers",
  "_log",
  "error",
  "signin/github",
  "callback/email/x",
  "",
])("there is no door %j", async (door) => {
  expect((await post(door, { a: "b" })).status).toBe(404)
})

test("a body that is no small form is refused", async () => {
  const json = new Request(`${ORIGIN}/`, { method: "POST", headers: { origin: ORIGIN }, body: '{"email":"a@b.c"}' })
  expect((await answerAuthDoor("signin/email", json)).status).toBe(400)
  expect((await post("signin/email", { email: "x".repeat(9_000) })).status).toBe(400)
})

test("a form without fields is a form", async () => {
  const headers = { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" }
  const request = new Request(`${ORIGIN}/`, { method: "POST", headers })
  expect((await answerAuthDoor("signout", request)).status).toBe(303)
})

test("signing out ends the session and takes the cookie away", async () => {
  const token = sessionOf(await confirm(await newLink("out@example.com")))
  const response = await post("signout", { a: "b" }, { cookie: `svcd-session=${token}` })
  expect(response.headers.get("location")).toBe("/")
  expect(response.headers.getSetCookie()).toEqual(["svcd-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"])
  expect(await whoIs(token)).toBeNull()
})

test("a mail server that fails is told to the person, and the address stays in the form", async () => {
  const send = vi.spyOn(here.mailer, "send").mockRejectedValueOnce(new Error("connection refused"))
  const response = await post("signin/email", { email: "down@example.com" })
  expect(response.headers.get("location")).toBe("/sign-in?problem=mail")
  expect(stateOf(response)).toMatchObject({ email: "down@example.com" })
  send.mockRestore()
})
