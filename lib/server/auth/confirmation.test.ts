import { expect, test, vi } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { listAudit } from "@/lib/server/audit/list-audit"
import { pauseKey, resumeKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { isConfirmed, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALL_SCOPES } from "@/lib/shared/auth/confirmations"
import { backdateLinks, confirm, type Link, mailTo, newLink, post, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { requestConfirmation } from "./confirmation"

const { app } = await testSignIn()

const NO_LIMIT = { name: "Everything", limit: null, expiresAt: null }
const LIMITED = { name: "Little", limit: { amountUsd: "5", period: "daily" as const }, expiresAt: null }

/** Signs in, ages the session by 25 hours and deletes its link, which would delay the next mail. */
async function oldSession(email: string): Promise<{ token: string; actor: UserActor }> {
  const token = sessionOf(await confirm(await newLink(email))) ?? ""
  await app.pool.query(
    "UPDATE session SET created_at = now() - interval '25 hours' FROM app_user u WHERE u.id = user_id AND u.email = $1",
    [email],
  )
  await app.pool.query("DELETE FROM sign_in_token WHERE email = $1", [email])
  return { token, actor: await actorOf(token) }
}

const actorOf = async (token: string): Promise<UserActor> => (await whoIs(token)) as UserActor

async function mailedConfirmation(email: string): Promise<Link> {
  const fragment = new URLSearchParams(new URL((await mailTo(email))?.link ?? "").hash.slice(1))
  return { token: fragment.get("c") ?? "", email: fragment.get("e") ?? "", next: fragment.get("n") ?? "" }
}

const open = (link: Link, headers = {}) => post("callback/confirmation", { ...link }, { headers })

test("a key without a limit needs a sign-in within 24 hours, or one mailed confirmation of the session", async () => {
  const { token, actor } = await oldSession("ada@example.com")
  const other = await actorOf(token)
  await expect(createKey(runtime(), actor, NO_LIMIT)).rejects.toMatchObject({
    code: "confirmation_required",
    status: 403,
  })
  expect((await createKey(runtime(), actor, LIMITED)).name).toBe("Little")
  expect(await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys?resume=key" })).toEqual({
    sent: true,
    retryAfterSeconds: 60,
  })
  // Opened on another device, which has no session.
  const response = await open(await mailedConfirmation("ada@example.com"), { "x-svc-client": "192.0.2.9" })
  expect(response.headers.get("location")).toBe("/sign-in?problem=confirmed&next=%2Fkeys%3Fresume%3Dkey")
  expect(response.headers.getSetCookie()).toEqual([])
  const confirmed = await actorOf(token)
  expect((await createKey(runtime(), confirmed, NO_LIMIT)).name).toBe("Everything")
  expect((await listAudit(runtime(), other)).lines.map(({ action }) => action)).toContain("session.confirm")
  await app.pool.query("UPDATE session SET spending_confirmed_at = now() - interval '25 hours'")
  expect(isConfirmed(await actorOf(token), "spending")).toBe(false)
})

test("a fresh sign-in needs no confirmation, and neither does the operator", async () => {
  const actor = await actorOf(sessionOf(await confirm(await newLink("fresh@example.com"))) ?? "")
  expect((await createKey(runtime(), actor, NO_LIMIT)).name).toBe("Everything")
  expect((await createKey(runtime(), operatorFor(actor.accountId), NO_LIMIT)).name).toBe("Everything")
})

test("a confirmation works once, only for its address, and confirms no other session of the user", async () => {
  const { token, actor } = await oldSession("once@example.com")
  const { token: another } = await oldSession("once@example.com")
  await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  const link = await mailedConfirmation("once@example.com")
  const problem = async (change: Partial<Link>) =>
    new URL((await open({ ...link, ...change })).headers.get("location") ?? "", "http://x").searchParams.get("problem")
  expect(await problem({ email: "eve@example.com" })).toBe("link")
  expect(await problem({ token: "0".repeat(64) })).toBe("link")
  expect(isConfirmed(await actorOf(token), "spending")).toBe(false)
  expect(await problem({})).toBe("confirmed")
  expect(await problem({})).toBe("link")
  expect([isConfirmed(await actorOf(token), "spending"), isConfirmed(await actorOf(another), "spending")]).toEqual([
    true,
    false,
  ])
})

test("a confirmation that has expired confirms nothing", async () => {
  const { actor, token } = await oldSession("expired@example.com")
  await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  const link = await mailedConfirmation("expired@example.com")
  await app.pool.query(
    "UPDATE sign_in_token SET expires_at = now() - interval '1 s' WHERE email = 'expired@example.com'",
  )
  expect((await open(link)).headers.get("location")).toContain("problem=link")
  expect(isConfirmed(await actorOf(token), "spending")).toBe(false)
})

test("a confirmation signs nobody in, and a sign-in link confirms no session", async () => {
  const { actor, token } = await oldSession("kinds@example.com")
  await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  const link = await mailedConfirmation("kinds@example.com")
  expect(sessionOf(await confirm(link))).toBeUndefined()
  await app.pool.query("DELETE FROM sign_in_token")
  expect((await open(await newLink("kinds@example.com"))).headers.get("location")).toContain("problem=link")
  expect(isConfirmed(await actorOf(token), "spending")).toBe(false)
})

test("confirmations that another session of the user requests do not end this session's link", async () => {
  const { token, actor } = await oldSession("rival@example.com")
  const { actor: other } = await oldSession("rival@example.com")
  await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  const link = await mailedConfirmation("rival@example.com")
  for (let i = 0; i < 3; i++) {
    await backdateLinks("rival@example.com", "2 minutes")
    expect((await requestConfirmation(runtime(), other, { verb: "createKey", returnTo: "/keys" })).sent).toBe(true)
  }
  await open(link)
  expect(isConfirmed(await actorOf(token), "spending")).toBe(true)
})

test("a second mail waits for a minute, and a mail that failed can be requested again at once", async () => {
  const { actor } = await oldSession("again@example.com")
  const send = vi.spyOn(app.mailer, "send").mockRejectedValueOnce(new Error("no mail server"))
  await expect(requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })).rejects.toMatchObject({
    code: "upstream_error",
  })
  send.mockRestore()
  expect((await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })).sent).toBe(true)
  const second = await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  expect(second.sent).toBe(false)
  expect(second.retryAfterSeconds).toBeGreaterThan(0)
  expect(second.retryAfterSeconds).toBeLessThanOrEqual(60)
})

test("a mail that fails after a newer one was delivered ends its own confirmation only", async () => {
  const { token, actor } = await oldSession("slow@example.com")
  let fail = (_cause: Error): void => {}
  const slow = new Promise<void>((_resolve, reject) => {
    fail = reject
  })
  const send = vi.spyOn(app.mailer, "send").mockReturnValueOnce(slow)
  const failing = requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  await expect.poll(() => send.mock.calls.length).toBe(1)
  await backdateLinks("slow@example.com", "2 minutes")
  await requestConfirmation(runtime(), actor, { verb: "createKey", returnTo: "/keys" })
  fail(new Error("connection timed out"))
  await expect(failing).rejects.toMatchObject({ code: "upstream_error" })
  send.mockRestore()
  await open(await mailedConfirmation("slow@example.com"))
  expect(isConfirmed(await actorOf(token), "spending")).toBe(true)
})

test("a confirmation leads only to pages of the console", async () => {
  const { actor } = await oldSession("away@example.com")
  for (const returnTo of ["https://evil.example", "//evil.example", "/nowhere"])
    await expect(requestConfirmation(runtime(), actor, { verb: "createKey", returnTo })).rejects.toMatchObject({
      code: "invalid_request",
    })
})

test("a mailed confirmation opens only the scope that its mail names, and the audit log has it", async () => {
  const { token, actor } = await oldSession("scopes@example.com")
  await requestConfirmation(runtime(), actor, { verb: "createAccountToken", returnTo: "/settings" })
  await open(await mailedConfirmation("scopes@example.com"))
  const confirmed = await actorOf(token)
  expect(ALL_SCOPES.filter((scope) => isConfirmed(confirmed, scope))).toEqual(["access"])
  expect((await createAccountToken(runtime(), confirmed, { name: "Dashboard", expiresAt: null })).name).toBe(
    "Dashboard",
  )
  await expect(createKey(runtime(), confirmed, NO_LIMIT)).rejects.toMatchObject({
    code: "confirmation_required",
    param: "createKey",
  })
  const managing = createAccountToken(runtime(), confirmed, { name: "CI", expiresAt: null, rights: ["keys.manage"] })
  await expect(managing).rejects.toMatchObject({ code: "confirmation_required", param: "manageKeysByToken" })
  const { lines } = await listAudit(runtime(), confirmed)
  expect(lines.find(({ action }) => action === "session.confirm")?.detail).toBe("access")
})

test.each([
  ["$50 with a smaller balance", "50", "1", false],
  ["more than $50 with a smaller balance", "50.01", "49", true],
  ["the balance, above $50", "120", "120", false],
  ["more than the balance, above $50", "120.000000000001", "120", true],
])("a key with a limit of %s needs a recent sign-in or not", async (_name, amountUsd, balanceUsd, isNeeded) => {
  const { actor } = await oldSession(`${newId()}@example.com`)
  await app.pool.query("UPDATE account SET balance_pico = $2 WHERE id = $1", [
    actor.accountId,
    BigInt(Math.round(Number(balanceUsd))) * 1_000_000_000_000n,
  ])
  const created = createKey(runtime(), actor, { ...LIMITED, limit: { amountUsd, period: "lifetime" } })
  const outcome = await created.then(
    () => "created",
    ({ code }) => code,
  )
  expect(outcome).toBe(isNeeded ? "confirmation_required" : "created")
})

test.each([
  ["without a limit", null, "0", true],
  ["with a limit of $50", "50", "1", false],
  ["with a limit of more than the balance, above $50", "120.000000000001", "120", true],
])("resuming a key %s needs a recent sign-in or not", async (_name, amountUsd, balanceUsd, isNeeded) => {
  const { actor } = await oldSession(`${newId()}@example.com`)
  await app.pool.query("UPDATE account SET balance_pico = $2 WHERE id = $1", [
    actor.accountId,
    BigInt(balanceUsd) * 1_000_000_000_000n,
  ])
  const limit = amountUsd === null ? null : { amountUsd, period: "lifetime" as const }
  const { id } = await createKey(runtime(), operatorFor(actor.accountId), { ...LIMITED, limit })
  await pauseKey(runtime(), actor, { id })
  const resumed = resumeKey(runtime(), actor, { id }).then(
    () => "resumed",
    ({ code, param }) => `${code} ${param}`,
  )
  expect(await resumed).toBe(isNeeded ? "confirmation_required resumeKey" : "resumed")
})
