import { expect, test, vi } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { Env } from "@/lib/server/platform/env"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { roundTripsOf } from "@/test/round-trips"
import { backdateLinks, confirm, mailTo, newLink, post, sessionOf, stateOf, testSignIn, whoIs } from "@/test/sign-in"

const { app } = await testSignIn()
Object.assign(app.env, { SIGN_UP_DOMAINS: new Set(["example.com"]), OPERATOR_EMAILS: new Set(["boss@example.net"]) })

type Policy = Env["SIGN_UP"]
const POLICIES: Policy[] = ["open", "domains", "invited", "off"]

const under = (policy: Policy) => {
  app.env.SIGN_UP = policy
}

const host = await createAccount(runtime(), OPERATOR, { email: "host@example.net" })

async function invite(email: string, columns = "accepted_at", value: Date | null = null): Promise<void> {
  await app.pool.query(
    `INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at, ${columns})
     VALUES ($1, $2, $3, 'developer', $4, now() + interval '7 days', $5)`,
    [newId(), host.accountId, email, host.userId, value],
  )
}

/** Creates the person of a row, each under an address of its own. */
const PEOPLE = {
  known: async (name: string) => {
    await createAccount(runtime(), OPERATOR, { email: `${name}@example.net` })
    return `${name}@example.net`
  },
  unknown: async (name: string) => `${name}@example.net`,
  "of an accepted domain": async (name: string) => `${name}@example.com`,
  "of a subdomain": async (name: string) => `${name}@mail.example.com`,
  "of a longer domain": async (name: string) => `${name}@evil-example.com`,
  invited: async (name: string) => {
    await invite(`${name}@example.net`)
    return `${name}@example.net`
  },
  "invited as an operator": async (name: string) => {
    await app.pool.query("INSERT INTO operator (id, email, role) VALUES ($1, $2, 'support')", [
      newId(),
      `${name}@example.net`,
    ])
    return `${name}@example.net`
  },
  "of a revoked invitation": async (name: string) => {
    await invite(`${name}@example.net`, "revoked_at", new Date())
    return `${name}@example.net`
  },
}
type Person = keyof typeof PEOPLE

const ADMITTED: Record<Policy, Person[]> = {
  open: Object.keys(PEOPLE) as Person[],
  domains: ["known", "of an accepted domain", "invited", "invited as an operator"],
  invited: ["known", "invited", "invited as an operator"],
  off: ["known"],
}

const ROWS = POLICIES.flatMap((policy) => (Object.keys(PEOPLE) as Person[]).map((person) => [policy, person] as const))

test.each(ROWS)(
  "SIGN_UP=%s, %s: the response is the same, and only a link that may sign in is mailed",
  async (policy, person) => {
    under(policy)
    const email = await PEOPLE[person](`${policy}-${person.replaceAll(" ", "-")}`)
    const response = await post("signin/email", { email })
    expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-in/check"])
    expect(Object.keys(stateOf(response))).toEqual(["email", "sentAtMs", "retryAtMs"])
    const message = await mailTo(email)
    const isAdmitted = ADMITTED[policy].includes(person)
    expect(message?.subject).toBe(
      isAdmitted ? "Sign in to localhost:3000" : "This address has no user at localhost:3000",
    )
    expect(message?.text.includes("/sign-in/confirm")).toBe(isAdmitted)
    const users = await app.pool.query("SELECT FROM app_user WHERE email = $1", [email])
    expect(users.rowCount).toBe(person === "known" ? 1 : 0)
    if (!isAdmitted) return
    await backdateLinks(email, "2 minutes")
    expect(await whoIs(sessionOf(await confirm(await newLink(email))))).toMatchObject({ email })
  },
)

test.each(POLICIES)(
  "SIGN_UP=%s: a known and an unknown address cost the same statements and one mail",
  async (policy) => {
    under(policy)
    const known = await PEOPLE.known(`work-${policy}`)
    const ask = async (email: string) => {
      const send = vi.spyOn(app.mailer, "send")
      const trips = await roundTripsOf(() => post("signin/email", { email }))
      const mails = send.mock.calls.length
      send.mockRestore()
      return { trips, mails }
    }
    const unknown = await ask(`nobody-${policy}@example.net`)
    expect(unknown.mails).toBe(1)
    expect(await ask(known)).toEqual(unknown)
  },
)

test("an address that is asked for again and again has the same limits, whether it may sign up or not", async () => {
  under("off")
  const known = await PEOPLE.known("limits")
  for (const email of [known, "limits-unknown@example.net"]) {
    await post("signin/email", { email })
    const again = await post("signin/email", { email })
    expect(again.headers.get("location")).toBe("/sign-in/check")
    expect(stateOf(again).sentAtMs).toBeUndefined()
  }
})

const REVOKE = "UPDATE invitation SET revoked_at = now() WHERE email = $1"

test.each([
  ["the policy changed", async () => under("off")],
  ["the invitation was revoked", (email: string) => app.pool.query(REVOKE, [email])],
])("a link that was mailed before %s opens no session", async (change, apply) => {
  under("invited")
  const email = `late-${change.replaceAll(" ", "-")}@example.net`
  await invite(email)
  const link = await newLink(email)
  await apply(email)
  const response = await confirm(link)
  expect(response.headers.get("location")).toBe("/sign-in?problem=sign_up")
  expect(sessionOf(response)).toBeUndefined()
  expect((await app.pool.query("SELECT FROM app_user WHERE email = $1", [email])).rowCount).toBe(0)
})

test("an operator whom the settings name may sign up under every policy", async () => {
  under("off")
  expect(await whoIs(sessionOf(await confirm(await newLink("boss@example.net"))))).toMatchObject({
    email: "boss@example.net",
  })
})

test("a user who is in no account signs in to a new one, under every policy", async () => {
  under("off")
  const { userId } = await createAccount(runtime(), OPERATOR, { email: "left@example.net" })
  await app.pool.query("DELETE FROM member WHERE user_id = $1", [userId])
  expect(await whoIs(sessionOf(await confirm(await newLink("left@example.net"))))).toMatchObject({ userId })
})

test("a deleted user is an unknown address", async () => {
  under("off")
  const { userId } = await createAccount(runtime(), OPERATOR, { email: "deleted@example.net" })
  await app.pool.query("UPDATE app_user SET email = 'deleted-user-x', erased_at = now() WHERE id = $1", [userId])
  await post("signin/email", { email: "deleted@example.net" })
  expect((await mailTo("deleted@example.net"))?.text).not.toContain("/sign-in/confirm")
})

test("the log names no address of a refused sign-up, but its reason", async () => {
  under("invited")
  const info = vi.spyOn(app.log, "info")
  await post("signin/email", { email: "reason@example.net" })
  expect(info.mock.calls).toEqual([
    [
      "A sign-in or confirmation link was sent",
      expect.objectContaining({ event: "sign_in.link_sent", reason: "sign_up" }),
    ],
  ])
  expect(JSON.stringify(info.mock.calls)).not.toContain("reason@example.net")
  info.mockRestore()
})
