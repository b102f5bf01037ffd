import { beforeAll, describe, expect, it, vi } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { getAccountOverview, operatorForAccount } from "@/lib/server/accounts/get-account"
import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { requestEmailChange } from "@/lib/server/auth/change-email"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { actorOfCookies } from "@/lib/server/auth/session-store"
import { changeKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import type { MailMessage } from "@/lib/server/mail/mailer"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import { listLeftKeys } from "@/lib/server/members/list-members"
import { OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { insertModel } from "@/test/insert-rows"
import { type TestService, testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { closeAccount } from "./close-account"
import { deleteUser, listOwnedAlone } from "./delete-user"

const USD = 1_000_000_000_000n
const BODY = {
  model: "svc-decider-latest",
  state: "Late.",
  questions: { late: { type: "noul", instructions: "Late?" } },
}

let service: TestService
let sent: MailMessage[] = []
beforeAll(async () => {
  service = await testService({ WELCOME_CREDIT_USD: "2" })
  await insertModel("m")
  runtime().mailer = { send: async (message) => void sent.push(message), check: async () => true }
})

const query = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

async function sessionOf({ userId }: UserActor): Promise<UserActor> {
  const token = newSessionToken()
  await query(
    `INSERT INTO session (id, token_hash, user_id, expires_at, browser, client_address)
     VALUES ($1, $2, $3, now() + interval '1 day', 'Firefox on Linux', '203.0.113.77')`,
    [newId(), hashSessionToken(token), userId],
  )
  return (await actorOfCookies(`svcd-session=${token}`, "203.0.113.77")) as UserActor
}

/** Signs up with something in every table that names a person. */
async function signUpWithEverything(email: string) {
  const owner = await sessionOf(await signUp(email, "203.0.113.77"))
  await postEntry(runtime().pool, {
    accountId: owner.accountId,
    kind: "credit",
    amountPico: pico(5n * USD),
    source: newId(),
  })
  const input = { name: `Laptop of ${email}`, limit: null, expiresAt: null }
  const { id, token } = await createKey(owner, input)
  await changeKey(owner, { id, name: input.name, note: `Ask ${email}` })
  const { token: accountToken } = await createAccountToken(owner, { name: `Token of ${email}` })
  await query("UPDATE account SET name = $2 WHERE id = $1", [owner.accountId, `${email.split("@")[0]} team`])
  await inviteMember(owner, { email: `friend-of-${email}`, role: "viewer" })
  await requestEmailChange(owner, { email: `new-${email}` })
  const endpoint = newId()
  await query(
    "INSERT INTO webhook_endpoint (id, account_id, url, events, secret) VALUES ($1, $2, $3, '{balance.low}', $4)",
    [endpoint, owner.accountId, `https://hooks.example/${email}`, Buffer.alloc(32)],
  )
  await query(
    "INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body) VALUES ($1, $2, $3, 'balance.low', $4, $5)",
    [newId(), owner.accountId, endpoint, newId(), JSON.stringify({ email })],
  )
  await query("INSERT INTO sign_in_token (token_hash, email, expires_at) VALUES ($1, $2, now())", [newId(), email])
  await query(
    "INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status) VALUES ($1, $2, $3, 500, 500, 'paid')",
    [newId(), owner.accountId, owner.userId],
  )
  const keyId = parsePublicId("key", id) ?? ""
  const hold = { id: newId(), actor: { accountId: owner.accountId, keyId }, modelId: "m", pricePico: pico(1) }
  await placeHold({ ...hold, maxTokens: 10 })
  await capture({ id: hold.id, accountId: owner.accountId }, { tokens: 5, latencyMs: 1, questionCounts: { noul: 1 } })
  return { owner, token, accountToken, name: `${email.split("@")[0]} team` }
}

/** Returns the columns of the whole database, partitions included, in whose text a part occurs. */
async function columnsWith(part: string): Promise<string[]> {
  const { rows } = await query(
    `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'character varying', 'jsonb', 'json', 'ARRAY', 'bytea')`,
  )
  const found: string[] = []
  for (const { table_name: table, column_name: column } of rows as Record<string, string>[]) {
    const text = `SELECT FROM "${table}" WHERE strpos(lower("${column}"::text), lower($1)) > 0 LIMIT 1`
    if ((await query(text, [part])).rowCount) found.push(`${table}.${column}`)
  }
  return found.toSorted()
}

const balanceOf = async (accountId: string) =>
  (await query("SELECT status, balance_pico FROM account WHERE id = $1", [accountId])).rows

const expectSoundLedger = async () => expect((await verifyLedger({ all: true })).ok).toBe(true)

describe("closing an account", () => {
  it("ends keys, tokens and sessions at once, erases what people wrote, and keeps the ledger and its credit", async () => {
    const { owner, token, accountToken, name } = await signUpWithEverything("ada@closing.example")
    const bob = await signUp("bob@closing.example")
    const { id } = await inviteMember(owner, { email: bob.email, role: "developer" })
    await acceptInvitation(await sessionOf(bob), { id })
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect(await columnsWith("ada team")).toEqual(["account.name"])
    const before = await balanceOf(owner.accountId)
    sent = []
    await closeAccount(owner, { name })
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["ada@closing.example", "An account was closed at localhost:3000"],
      ["bob@closing.example", "An account was closed at localhost:3000"],
    ])
    expect(await balanceOf(owner.accountId)).toEqual([{ ...before[0], status: "closed" }])
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 })
    expect((await service.decide(token, BODY)).status).toBe(401)
    vi.useRealTimers()
    await expect(verifyAccountToken(`Bearer ${accountToken}`)).rejects.toMatchObject({ code: "invalid_api_key" })
    // The users stay, until they delete themselves.
    expect(await columnsWith("ada@closing.example")).toEqual([
      "app_user.email",
      "email_change.new_email",
      "sign_in_token.email",
    ])
    expect(await columnsWith("ada team")).toEqual([])
    expect(await columnsWith("bob@closing.example")).toEqual(["app_user.email"])
    await expectSoundLedger()
  })

  it("leaves the operator its status, balance, keys and who closed it", async () => {
    const { owner, name } = await signUpWithEverything("eve@closing.example")
    await closeAccount(owner, { name })
    const account = await getAccountOverview(await operatorForAccount(OPERATOR, publicId("acc", owner.accountId)))
    expect(account).toMatchObject({ email: "", status: "closed", balancePico: 7n * USD - 5n })
    expect(account.keys.map((key) => [key.name, key.status])).toEqual([
      ["Key", "revoked"],
      ["Playground", "revoked"],
    ])
    const { lines } = await listServiceAudit(OPERATOR, { accountId: owner.accountId, show: "accounts" })
    expect(lines[0]).toMatchObject({ action: "account.close", by: "eve@closing.example", clientAddress: null })
  })

  it("needs the account's name, an owner, a recent sign-in and no open top-up", async () => {
    const owner = await sessionOf(await signUp())
    const close = (actor: UserActor, name = owner.email) => closeAccount(actor, { name })
    await expect(close(owner, "Other")).rejects.toMatchObject({ param: "name" })
    await expect(close({ ...owner, role: "developer" })).rejects.toMatchObject({ code: "forbidden" })
    await expect(close({ ...owner, confirmedAtMs: 0 })).rejects.toMatchObject({ code: "confirmation_required" })
    await query("INSERT INTO topup (id, account_id, user_id, amount_cents, status) VALUES ($1, $2, $3, 500, 'open')", [
      newId(),
      owner.accountId,
      owner.userId,
    ])
    await expect(close(owner)).rejects.toMatchObject({
      message: "A top-up of this account is still open. Finish or cancel it under Billing, then close the account.",
    })
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "active" }])
    expect((await actorOfCookies(undefined, null)) ?? (await sessionOf(owner))).toMatchObject({ role: "owner" })
  })
})

describe("deleting a user", () => {
  it("leaves the address, its texts and its client addresses in no column of the database, and the ledger sound", async () => {
    const { owner } = await signUpWithEverything("zoe@deleting.example")
    const team = await signUp("owner@deleting-team.example")
    const { id } = await inviteMember(team, { email: owner.email, role: "developer" })
    await acceptInvitation(owner, { id })
    const inTeam = await sessionOf(owner)
    await createKey(
      { ...inTeam, accountId: team.accountId, role: "developer" },
      { name: "CI", limit: null, expiresAt: null },
    )
    await query(
      `INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts) VALUES ($1, $2, $3, 'member_joined', $4, $5)`,
      [newId(), team.accountId, team.userId, newId(), { email: owner.email }],
    )
    expect((await columnsWith("zoe@deleting.example")).length).toBeGreaterThan(8)
    expect(await columnsWith("203.0.113.77")).toContain("audit_event.client_address")
    sent = []
    await deleteUser(owner, { email: "ZOE@deleting.example" })
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["zoe@deleting.example", "Your user was deleted at localhost:3000"],
    ])
    expect(await columnsWith("zoe@deleting.example")).toEqual([])
    expect(await columnsWith("zoe")).toEqual([])
    const own = (await query("SELECT client_address FROM audit_event WHERE actor = $1", [`user:${owner.userId}`])).rows
    expect(new Set(own.map(({ client_address }) => client_address))).toEqual(new Set([null]))
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "closed" }])
    await expectSoundLedger()
    const [left] = await listLeftKeys(team)
    expect(left).toMatchObject({ name: "CI", createdBy: expect.stringMatching(/^deleted-user-[0-9a-f]{8}$/) })
    const lines = (await listAudit(team, { topic: "members" })).lines.map(
      (line) => `${line.by}: ${describeAudit(line)}`,
    )
    expect(lines[0]).toMatch(/^deleted-user-[0-9a-f]{8}: Left the account$/)
  })

  it("ends every session, gives no second welcome credit, and lets the address sign up again", async () => {
    const user = await sessionOf(await signUp("again@deleting.example"))
    await sessionOf(user)
    await deleteUser(user, { email: user.email })
    expect((await query("SELECT FROM session WHERE user_id = $1", [user.userId])).rowCount).toBe(0)
    const second = await signUp("again@deleting.example")
    expect(second.userId).not.toBe(user.userId)
    expect(await balanceOf(second.accountId)).toEqual([{ status: "active", balance_pico: "0" }])
  })

  it("is refused for the only owner of an account with other members, and changes nothing", async () => {
    const owner = await sessionOf(await signUp())
    const bob = await signUp()
    const { id } = await inviteMember(owner, { email: bob.email, role: "viewer" })
    await acceptInvitation(await sessionOf(bob), { id })
    expect(await listOwnedAlone(owner)).toMatchObject([{ name: owner.email, others: 1, balanceUsd: "2.000000000000" }])
    await expect(deleteUser(owner, { email: owner.email })).rejects.toMatchObject({
      message: `You are the only owner of “${owner.email}”, which has other members. Make one of them an owner, or close the account first.`,
    })
    expect(await balanceOf(owner.accountId)).toMatchObject([{ status: "active" }])
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [bob.accountId])
    await expect(deleteUser(bob, { email: bob.email })).rejects.toThrow("is suspended")
    await expect(deleteUser(owner, { email: bob.email })).rejects.toMatchObject({ param: "email" })
    await expect(deleteUser({ ...owner, confirmedAtMs: 0 }, { email: owner.email })).rejects.toMatchObject({
      code: "confirmation_required",
    })
  })
})

it("the audit log refuses every change but erasing a client's address", async () => {
  const { accountId } = await signUp("kept@closing.example", "203.0.113.9")
  const change = (set: string) => query(`UPDATE audit_event SET ${set} WHERE account_id = $1`, [accountId])
  for (const set of [
    "action = 'x'",
    "actor = 'system'",
    "client_address = '203.0.113.1'",
    "detail = 'x', client_address = NULL",
  ])
    await expect(change(set)).rejects.toThrow("audit_event is append-only")
  await expect(query("DELETE FROM audit_event WHERE account_id = $1", [accountId])).rejects.toThrow("append-only")
  await change("client_address = NULL")
  expect((await listAudit({ ...operatorFor(accountId), role: "owner" } as never)).lines).toHaveLength(1)
})
