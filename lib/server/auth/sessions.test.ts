import { expect, test } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, type Link, mailTo, newLink, post, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { endOwnSession, listSessions } from "./sessions"

const { app } = await testSignIn()

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"

async function signIn(email: string, headers: Record<string, string> = {}) {
  await app.pool.query("UPDATE sign_in_token SET created_at = created_at - interval '6 minutes' WHERE email = $1", [
    email,
  ])
  const link: Link = await newLink(email)
  expect((await mailTo(email))?.to).toBe(email)
  const token = sessionOf(await confirm(link, { headers })) ?? ""
  const actor = (await whoIs(token)) as UserActor
  return { token, actor }
}

test("the list has each session's browser and address, the current session first", async () => {
  const desk = await signIn("list@example.com", { "user-agent": CHROME, "x-svc-client": "192.0.2.7" })
  const phone = await signIn("list@example.com", { "user-agent": IPHONE, "x-svc-client": "2001:db8::7" })
  const bare = await signIn("list@example.com", { "user-agent": "curl/8" })
  await app.pool.query("UPDATE session SET last_seen_at = now() - interval '8 days' WHERE id = $1", [
    bare.actor.sessionId,
  ])
  const sessions = await listSessions(runtime(), desk.actor)
  expect(sessions.map(({ browser, clientAddress, isCurrent }) => [browser, clientAddress, isCurrent])).toEqual([
    ["Chrome on Linux", "192.0.2.7", true],
    ["Safari on iOS", "2001:db8::7", false],
  ])
  expect((await listSessions(runtime(), phone.actor))[0]?.browser).toBe("Safari on iOS")
  expect(JSON.stringify(sessions)).not.toContain(desk.token)
})

test("a user ends one session and the others stay open", async () => {
  const [desk, phone] = [await signIn("one@example.com"), await signIn("one@example.com")]
  const [, other] = await listSessions(runtime(), desk.actor)
  await endOwnSession(runtime(), desk.actor, { id: other?.id ?? "" })
  expect(await whoIs(phone.token)).toBeNull()
  expect(await whoIs(desk.token)).not.toBeNull()
  await expect(endOwnSession(runtime(), desk.actor, { id: other?.id ?? "" })).rejects.toMatchObject({
    code: "not_found",
  })
})

test("nobody can end another user's session, which is not found, like an unknown one", async () => {
  const [mine, theirs] = [await signIn("mine@example.com"), await signIn("eve@example.com")]
  const [session] = await listSessions(runtime(), mine.actor)
  const answers = []
  for (const id of [session?.id ?? "", `ses_${"0".repeat(26)}`, "key_x", ""])
    answers.push(await endOwnSession(runtime(), theirs.actor, { id }).catch((error) => [error.code, error.message]))
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['["not_found","There is no such session. It may have ended."]']),
  )
  expect(await whoIs(mine.token)).not.toBeNull()
})

test("signing out everywhere ends every session of this user only", async () => {
  const mine = [await signIn("all@example.com"), await signIn("all@example.com"), await signIn("all@example.com")]
  const other = await signIn("neighbour@example.com")
  const response = await post("signout/everywhere", { a: "b" }, { cookie: `svcd-session=${mine[1]?.token}` })
  expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-in"])
  expect(response.headers.getSetCookie()).toEqual(["svcd-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"])
  expect(await Promise.all(mine.map(({ token }) => whoIs(token)))).toEqual([null, null, null])
  expect(await whoIs(other.token)).not.toBeNull()
})

test("without a session signing out everywhere ends nothing", async () => {
  const { token } = await signIn("kept@example.com")
  const response = await post("signout/everywhere", { a: "b" }, { cookie: `svcd-session=${"A".repeat(43)}` })
  expect(response.status).toBe(303)
  expect(await whoIs(token)).not.toBeNull()
})

test("the audit log has every sign-in and every end of a session, with the address", async () => {
  const { actor, token } = await signIn("log@example.com", { "user-agent": CHROME, "x-svc-client": "192.0.2.7" })
  const other = await signIn("log@example.com", { "x-svc-client": "192.0.2.8" })
  await post("signout", { a: "b" }, { cookie: `svcd-session=${token}`, headers: { "x-svc-client": "192.0.2.9" } })
  const { lines } = await listAudit(runtime(), other.actor, { topic: "sign-ins" })
  expect(lines.map(({ action, detail, by, clientAddress }) => [action, detail, by, clientAddress])).toEqual([
    ["session.end", null, "log@example.com", "192.0.2.9"],
    ["session.create", null, "log@example.com", "192.0.2.8"],
    ["session.create", "Chrome on Linux", "log@example.com", "192.0.2.7"],
    ["account.create", null, "log@example.com", "192.0.2.7"],
  ])
  expect(actor.accountId).toBe(other.actor.accountId)
})
