import { expect, test, vi } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, mailTo, newLink, post, sessionOf, stateOf, testSignIn, whoIs } from "@/test/sign-in"
import { requestConfirmation } from "./confirmation"

const { app } = await testSignIn()

const ask = async (email: string, client: string, cookie?: string) => {
  const response = await post("signin/email", { email }, { headers: { "x-svc-client": client }, cookie })
  const { sentAtMs, retryAtMs = 0 } = stateOf(response)
  const outcome = response.headers.get("location") === "/sign-in/check" ? (sentAtMs ? "sent" : "recent") : "limit"
  return { outcome, waitMinutes: (retryAtMs - Date.now()) / 60_000 }
}

/** Ages every link by some minutes. */
const pass = (minutes: number) =>
  app.pool.query(
    "UPDATE sign_in_token SET created_at = created_at - $1::interval, expires_at = expires_at - $1::interval",
    [`${minutes} minutes`],
  )

const newestLink = async (email: string) => {
  const fragment = new URLSearchParams(new URL((await mailTo(email))?.link ?? "").hash.slice(1))
  return { token: fragment.get("t") ?? "", email, next: "" }
}

const otherClient = (i: number) => `198.51.${Math.floor(i / 250)}.${1 + (i % 250)}`

test("a client gets five links an hour for one address", async () => {
  for (let i = 0; i < 5; i++) {
    expect((await ask("pair@example.com", "192.0.2.20")).outcome).toBe("sent")
    await pass(6)
  }
  const sixth = await ask("pair@example.com", "192.0.2.20")
  expect(sixth.outcome).toBe("limit")
  expect(sixth.waitMinutes).toBeGreaterThan(29)
  expect(sixth.waitMinutes).toBeLessThanOrEqual(30.1)
  expect((await ask("pair@example.com", "192.0.2.21")).outcome).toBe("sent")
})

test("constant requests by others never lock an owner out and do not flood the mailbox", async () => {
  const email = "besieged@example.com"
  let mails = 0
  for (let minute = 0; minute < 30; minute++) {
    if ((await ask(email, otherClient(minute))).outcome === "sent") mails++
    const mine = await ask(email, "192.0.2.30")
    expect(mine.outcome).toBe("recent")
    expect(mine.waitMinutes).toBeLessThanOrEqual(5.02)
    // The newest link of the mailbox is valid for at least five minutes.
    const { rows } = await app.pool.query(
      "SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM sign_in_token WHERE email = $1",
      [email],
    )
    expect(rows[0].seconds).toBeGreaterThan(298)
    await pass(1)
  }
  expect(mails).toBe(10)
  expect(sessionOf(await confirm(await newestLink(email)))).toBeDefined()
  expect((await ask(email, "192.0.2.30")).outcome).toBe("sent")
})

test("requests by others do not invalidate the owner's link", async () => {
  const email = "patient@example.com"
  expect((await ask(email, "192.0.2.40")).outcome).toBe("sent")
  const mine = await newestLink(email)
  for (let i = 0; i < 4; i++) {
    await pass(1)
    expect((await ask(email, otherClient(i))).outcome).toBe("sent")
  }
  expect(sessionOf(await confirm(mine))).toBeDefined()
})

test("confirmations that a stolen session requests neither delay the owner's sign-in nor end the owner's link", async () => {
  const email = "robbed@example.com"
  const thief = (await whoIs(sessionOf(await confirm(await newLink(email))))) as UserActor
  await pass(61)
  // Requested at the same machine, so it has no client address, as confirmations have none.
  const mine = await newLink(email)
  let mails = 0
  for (let minute = 0; minute < 8; minute++) {
    if ((await requestConfirmation(runtime(), thief, { verb: "createKey", returnTo: "/keys" })).sent) mails++
    await pass(1)
  }
  // The owner's link has not delayed them either: one a minute, then one in five minutes.
  expect(mails).toBe(5)
  expect((await ask(email, "192.0.2.70")).outcome).toBe("sent")
  expect(sessionOf(await confirm(mine))).toBeDefined()
})

test("a browser that signed in before is not limited by other requests of the same client", async () => {
  const email = "office@example.com"
  const signedIn = await confirm(await newLink(email))
  const known = signedIn.headers.getSetCookie().find((text) => text.startsWith("svcd-known=")) ?? ""
  expect(known).toMatch(/^svcd-known=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
  const cookie = known.split(";")[0]
  await pass(2)
  for (let i = 0; i < 10; i++) expect((await ask(`colleague${i}@example.com`, "192.0.2.50")).outcome).toBe("sent")
  expect((await ask(email, "192.0.2.50")).outcome).toBe("limit")
  expect((await ask("other@example.com", "192.0.2.50", cookie)).outcome).toBe("limit")
  expect((await ask(email, "192.0.2.50", `${cookie}x`)).outcome).toBe("limit")
  expect((await ask(email, "192.0.2.50", cookie)).outcome).toBe("sent")
  expect((await ask(email, "192.0.2.50", cookie)).outcome).toBe("recent")
})

/** Adds links of 20 minutes ago that new browsers requested, or known ones, until there are `count`. */
const fill = (count: number, isKnown = false) =>
  app.pool.query(
    `INSERT INTO sign_in_token (token_hash, email, client_address, created_at, expires_at, known_browser)
     SELECT gen_random_uuid(), 'x' || i || '@example.com', 'c' || i, now() - interval '20 minutes', '-infinity', $2
     FROM generate_series(1, $1 - (SELECT count(*)::int FROM sign_in_token WHERE known_browser = $2)) AS i`,
    [count, isKnown],
  )

test("newcomers leave 300 of the 1,000 links an hour to addresses with an account, and the last fifth is logged", async () => {
  const low = vi.spyOn(app.metrics, "signIn")
  const lowEvents = () => low.mock.calls.filter(([event]) => event === "sign_in.budget_low").length
  await confirm(await newLink("member@example.com"))
  await app.pool.query("DELETE FROM sign_in_token")
  await fill(558)
  expect((await ask("early@example.com", "192.0.2.61")).outcome).toBe("sent")
  expect(lowEvents()).toBe(0)
  expect((await ask("later@example.com", "192.0.2.61")).outcome).toBe("sent")
  expect(lowEvents()).toBe(1)
  await fill(700)
  expect((await ask("newcomer@example.com", "192.0.2.61")).outcome).toBe("limit")
  expect((await ask("member@example.com", "192.0.2.61")).outcome).toBe("sent")
  low.mockRestore()
  await app.pool.query("DELETE FROM sign_in_token")
})

test("the total limit holds, and known browsers have one of their own, which never refuses an address's first three", async () => {
  const email = "regular@example.com"
  const signedIn = await confirm(await newLink(email))
  const cookie = signedIn.headers
    .getSetCookie()
    .find((text) => text.startsWith("svcd-known="))
    ?.split(";")[0]
  await app.pool.query("DELETE FROM sign_in_token")
  await fill(1_000)
  const refused = await ask("new@example.com", "192.0.2.60")
  expect(refused.outcome).toBe("limit")
  expect(refused.waitMinutes).toBeCloseTo(40, 0)
  expect((await ask(email, "192.0.2.60", cookie)).outcome).toBe("sent")
  await fill(1_000, true)
  for (const outcome of ["sent", "sent", "limit"]) {
    await pass(2)
    expect((await ask(email, "192.0.2.60", cookie)).outcome).toBe(outcome)
  }
})

const clear = () => app.pool.query("DELETE FROM sign_in_token")
const askFrom = async (clients: string[]) => {
  const outcomes = { sent: 0, limit: 0, recent: 0 }
  for (const [i, client] of clients.entries())
    outcomes[(await ask(`n${i}@example.com`, client)).outcome as keyof typeof outcomes]++
  return outcomes
}

test("one IPv6 /48 gets 50 links an hour and each /56 gets 20, so newcomers elsewhere still sign up", async () => {
  await clear()
  const of56 = Array.from({ length: 25 }, (_, i) => `2001:db8:1:${(256 + i).toString(16)}::1`)
  expect(await askFrom(of56)).toEqual({ sent: 20, limit: 5, recent: 0 })
  const of48 = Array.from({ length: 80 }, (_, i) => `2001:db8:1:${((i + 2) * 256).toString(16)}::1`)
  await clear()
  expect(await askFrom(of48)).toEqual({ sent: 50, limit: 30, recent: 0 })
  expect((await ask("honest@example.com", "2001:db8:2::1")).outcome).toBe("sent")
})

test("one IPv4 /24 gets 50 links an hour", async () => {
  await clear()
  const clients = Array.from({ length: 60 }, (_, i) => `203.0.113.${i + 1}`)
  expect(await askFrom(clients)).toEqual({ sent: 50, limit: 10, recent: 0 })
  await pass(61)
  expect((await ask("later@example.com", "203.0.113.200")).outcome).toBe("sent")
})
