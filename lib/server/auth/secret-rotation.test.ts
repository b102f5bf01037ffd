import { afterEach, expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, mailTo, newLink, post, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { requestConfirmation } from "./confirmation"
import { hasOutboxCookie, outboxCookie, outboxPath } from "./outbox-access"

const { app } = await testSignIn()
const first = app.env
const NEXT = "another-secret-of-32-characters-xx"

/** Replaces the secret. During the overlap, the service accepts the previous one too. */
const rotate = (overlap: boolean) => {
  runtime().env = {
    ...first,
    AUTH_SECRET: NEXT,
    AUTH_SECRET_PREVIOUS: overlap ? first.AUTH_SECRET : undefined,
  }
}
afterEach(() => {
  runtime().env = first
})

const isInvalid = (response: Response) => response.headers.get("location") === "/sign-in?problem=link"

test("a sign-in link from before a rotation opens a session once during the overlap, and not after it", async () => {
  const link = await newLink("ada@example.com")
  rotate(false)
  expect(isInvalid(await confirm(link))).toBe(true)
  rotate(true)
  const session = sessionOf(await confirm(link))
  expect(await whoIs(session)).toMatchObject({ email: "ada@example.com" })
  expect(isInvalid(await confirm(link))).toBe(true)
  const fresh = await newLink("ada-2@example.com")
  expect(sessionOf(await confirm(fresh))).toBeTruthy()
  runtime().env = first
  expect(await whoIs(session)).toMatchObject({ email: "ada@example.com" })
})

test("a mailed confirmation from before a rotation works during the overlap", async () => {
  const token = sessionOf(await confirm(await newLink("bob@example.com")))
  await app.pool.query("DELETE FROM sign_in_token WHERE email = 'bob@example.com'")
  await requestConfirmation(runtime(), (await whoIs(token)) as UserActor, { verb: "createKey", returnTo: "/keys" })
  const fragment = new URLSearchParams(new URL((await mailTo("bob@example.com"))?.link ?? "").hash.slice(1))
  const link = { token: fragment.get("c") ?? "", email: fragment.get("e") ?? "", next: fragment.get("n") ?? "" }
  const problem = async () => (await post("callback/confirmation", link, {})).headers.get("location")
  rotate(false)
  expect(await problem()).toContain("problem=link")
  rotate(true)
  expect(await problem()).toContain("problem=confirmed")
})

test("the cookie of the outbox outlives a rotation during the overlap", () => {
  const cookie = outboxCookie(outboxPath(first), first)?.split(";")[0]
  rotate(false)
  expect(hasOutboxCookie({ cookie }, runtime().env)).toBe(false)
  rotate(true)
  expect(hasOutboxCookie({ cookie }, runtime().env)).toBe(true)
})
