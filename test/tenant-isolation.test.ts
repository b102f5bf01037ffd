import { expect, test, vi } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { listAudit } from "@/lib/server/audit/list-audit"
import { inviteOperator } from "@/lib/server/auth/operators"
import { listSessions } from "@/lib/server/auth/sessions"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { listEntries } from "@/lib/server/billing/entries"
import { getStatement } from "@/lib/server/billing/get-statement"
import { monthOf } from "@/lib/server/billing/months"
import { listTopups } from "@/lib/server/billing/topup"
import { createKey } from "@/lib/server/keys/create-key"
import { findKey, listKeys } from "@/lib/server/keys/read-keys"
import { findKeyOfAccount } from "@/lib/server/keys/verify-key"
import { inviteMember } from "@/lib/server/members/invitations"
import { planMove } from "@/lib/server/models/plan-move"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { type Actor, OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { findAccountOfRequest, findRequest } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import { listRequests } from "@/lib/server/usage/list-requests"
import { findDetails } from "@/lib/server/usage/request-details"
import { testEndpoint } from "@/lib/server/webhooks/deliveries"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { operatorToken } from "./admin-api"
import { set as setAllowance } from "./allowance-fixture"
import { automatic, enterCard, TERMS } from "./auto-topup-fixture"
import { sessionOf } from "./closing-fixture"
import { keepMails } from "./keep-mails"
import { nextRequest } from "./next-request"
import {
  doubtfulTopup,
  invited,
  keeping,
  PREPARE,
  type Prepared,
  paidTopup,
  pausedKey,
  session,
  team,
  watching,
} from "./own-objects"
import { newPasskey, signedConfirmation, withPasskey } from "./passkeys"
import { signUp } from "./sign-up"
import { chargeTenant, createTenant, refuseTenant } from "./tenant"
import { buy, newOwner, testTopups } from "./topup-fixture"
import { ACTIONS, attempt, LATE, LATE_ALARMS, type VerbRow } from "./verb-register"

vi.mock("@/lib/server/auth/actor-of-cookies", async (original) =>
  (await import("./next-request")).mockSessionStore(original),
)
vi.mock("next/headers", async (original) => (await import("./next-request")).mockHeaders(original))
vi.mock("next/cache", async (original) => (await import("./next-request")).mockCache(original))

const NAME = "Zqcanary key"

const { double } = await testTopups({ OPERATOR_EMAILS: "operator@example.com" })
await openCatalogue(runtime())
keepMails()
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

/** Creates an account with one object of each kind, and returns every id of it. */
async function createOwner() {
  const actor = await sessionOf(await newOwner())
  const { accountId, userId, sessionId, email } = actor
  const { id: key } = await createKey(runtime(), actor, { name: NAME, limit: null, expiresAt: null })
  const uuid = parsePublicId("key", key) ?? ""
  const tenant = { actor, keys: [uuid] }
  await sql("SELECT post_entry($1, 'credit', 1000000000000, $2, NULL)", [accountId, `test:${accountId}`])
  await createTenant([])
  const request = await chargeTenant(tenant, uuid, { tokens: 4_321 })
  const detail =
    "INSERT INTO request_detail (id, account_id, key_id, created_at, retries) VALUES ($1, $2, $3, now(), 0)"
  await sql(detail, [request, accountId, uuid])
  const refusal = await refuseTenant(tenant, uuid, { at: new Date().toISOString() })
  const topup = await buy(actor, "76.54")
  const payment = "pi_zqcanarypayment"
  await sql("UPDATE topup SET payment_intent_id = $1 WHERE id = $2", [payment, topup.id])
  const { id: token } = await createAccountToken(runtime(), actor, { name: NAME, expiresAt: null })
  const { id: invitation } = await inviteMember(runtime(), actor, { email: "invited@example.com", role: "viewer" })
  const { id: endpoint } = await createEndpoint(runtime(), actor, {
    url: "https://hooks.example.com/",
    events: ["balance.low"],
  })
  await testEndpoint(runtime(), actor, { id: endpoint })
  const { rows: found } = await sql(
    `SELECT 'key' AS prefix, id FROM api_key WHERE account_id = $1 AND kind = 'playground'
     UNION ALL SELECT 'msg', id FROM webhook_delivery WHERE account_id = $1`,
    [accountId],
  )
  const numbers = await sql("SELECT max(id) AS id FROM ledger_entry UNION ALL SELECT max(id) FROM audit_event")
  const shown = [
    ...[key, token, invitation, endpoint, publicId("acc", accountId), publicId("usr", userId)],
    ...[publicId("req", request), publicId("req", refusal), publicId("ses", sessionId), publicId("top", topup.id)],
    ...found.map(({ prefix, id }) => publicId(prefix, id)),
  ]
  const uuids = shown.map((id) => parsePublicId(id.split("_")[0] as Parameters<typeof parsePublicId>[0], id) ?? "")
  return {
    actor,
    topup,
    key,
    request,
    uuids,
    ids: [...shown, ...uuids, topup.sessionId, payment, email],
    numbers: numbers.rows.map(({ id }) => String(id)),
  }
}

const owner = await createOwner()
const operator = await signUp("operator@example.com")
const other: UserActor = await newOwner()
const privateTexts = [...owner.ids, NAME, "76.54", owner.topup.checkoutUrl]

/** Every column that says whose a row is. */
const { rows: columns } = await sql(
  `SELECT relname AS name, attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     AND (attname IN ('account_id', 'user_id') OR relname IN ('account', 'app_user') AND attname = 'id')`,
)

/** Returns every row of the owner's account and user. */
async function allRows(): Promise<string> {
  const parts = columns.map(
    ({ name, column }) => `SELECT '${name}' AS name, to_jsonb(t) AS row FROM ${name} t WHERE ${column} = ANY ($1)`,
  )
  const { rows } = await sql(`${parts.join(" UNION ")} ORDER BY 1, 2`, [[owner.actor.accountId, owner.actor.userId]])
  return JSON.stringify(rows)
}

const leakedTexts = (value: unknown, id: string): string[] => {
  const json = JSON.stringify(value) ?? ""
  return privateTexts.filter((text) => json.includes(text) && !text.includes(id) && !id.includes(text))
}

/** Actions that take a form as the browser sends it without JavaScript. */
const FORM_ACTIONS = ["acceptInvitationAction", "setTheme"]

/** Calls an action as a user. Returns its answer, or what it throws to redirect or for a page that does not exist. */
async function call(name: string, actor: UserActor, input: unknown): Promise<unknown> {
  nextRequest.actor = actor
  const [file, action = ""] = name.split(/ (?=\w+$)/)
  const actions: Record<string, (input: unknown) => Promise<unknown>> = await import(/* @vite-ignore */ `../${file}`)
  const form = new FormData()
  for (const [field, value] of Object.entries(input ?? {})) form.set(field, String(value))
  const answer = actions[action]?.(FORM_ACTIONS.includes(action) ? form : input)
  return answer
    ?.catch((error: { digest?: string }) => error.digest ?? error)
    .finally(() => {
      nextRequest.actor = undefined
    })
}

const asOwner = async (input: unknown): Promise<[UserActor, unknown]> => [await newOwner(), input]

async function asDeveloper(inputOf: (developer: UserActor) => unknown): Promise<[UserActor, unknown]> {
  const { developer } = await team()
  return [developer, inputOf(developer)]
}

async function withId(prepared: Prepared, more: object = {}): Promise<[Actor, unknown]> {
  const [actor, id] = await prepared
  return [actor, { id, ...more }]
}

/** The form of an operator who acts for a new person. */
const forPerson = async (): Promise<[UserActor, unknown]> => {
  const person = await newOwner()
  return [person, { email: person.email, note: "By letter" }]
}

/** Calls that need more than an own object and the input of the register. */
const PARTICULAR: Record<string, () => Promise<[Actor, unknown]>> = {
  acceptInvitationAction: () => withId(invited()),
  addPasskeyAction: async () => newPasskey(await newOwner()),
  cancelMoveAction: async () => {
    const [, toId] = await PREPARE.model()
    await planMove(runtime(), OPERATOR, { toId, on: "2099-12-01", noticeDays: 1 })
    return asOwner({})
  },
  changeEmailAction: () => asOwner({ email: "asked@example.com" }),
  closeAccountAction: async () => {
    const actor = await newOwner()
    return [actor, { name: actor.email }]
  },
  confirmByPasskeyAction: async () => signedConfirmation((await session())[0]),
  deleteUserAction: () => asDeveloper(({ email }) => ({ email })),
  endAllowanceAction: async () => asOwner(await setAllowance("ended.example", 20n)),
  endOutcomeAlarmsAction: async () => [await watching(), LATE],
  endPersonSessionsAction: forPerson,
  endTopupAction: () => withId(doubtfulTopup(double), { note: "Refunded" }),
  erasePersonAction: forPerson,
  exportPersonAction: forPerson,
  leaveAccountAction: () => asDeveloper(() => ({})),
  // Asks an engine, which the models of tests have not.
  recordExamplesAction: () => asOwner({ id: LEXICAL_BASELINE }),
  refreshTopupAction: () => withId(paidTopup(double)),
  refundTopupAction: () => withId(paidTopup(double), { amountUsd: "", note: "By request" }),
  removeCardAction: async () => [await automatic(double), {}],
  requestConfirmationAction: async () => [(await session())[0], { verb: "createKey", returnTo: "/keys" }],
  removeOperatorAction: async () =>
    asOwner(await inviteOperator(runtime(), OPERATOR, { email: "removed@example.com", role: "support" })),
  removePersonAction: forPerson,
  resumeKeyAction: () => withId(pausedKey()),
  startPasskeyConfirmationAction: async () => {
    const user = await newOwner()
    await withPasskey(user)
    return [user, { verb: "createKey" }]
  },
  settleTopupAction: () => withId(doubtfulTopup(double), { amountUsd: "5", note: "Paid in euros" }),
  revokeOperatorTokenAction: async () => asOwner({ id: (await operatorToken("Revoked")).id }),
  setOutcomeAlarmsAction: async () => [await keeping(), LATE_ALARMS],
  setTheme: () => asOwner({ theme: "dark" }),
  turnOffAutoTopupAction: async () => [await automatic(double), {}],
  turnOnAutoTopupAction: async () => {
    const actor = await newOwner()
    await enterCard(double, actor)
    return [actor, TERMS]
  },
}

/** What actions return that return no `ok`. */
const RESULTS: Record<string, unknown> = {
  acceptInvitationAction: expect.stringMatching(/^NEXT_REDIRECT;\w+;\/playground;/),
  echoInput: { model: "", state: "", questions: "" },
  setTheme: undefined,
}

async function ownCall(action: string, [, input, { of } = {}]: VerbRow): Promise<[Actor, unknown]> {
  const particular = PARTICULAR[action]
  if (particular) return particular()
  const [actor, id] = of ? await PREPARE[of]() : [await newOwner(), ""]
  return [actor, input(id)]
}

test.each(Object.entries(ACTIONS))("%s succeeds for its owner, and not for another account", async (name, row) => {
  const [right, , { of } = {}] = row
  const action = name.split(" ").at(-1) ?? ""
  const [actor, input] = await ownCall(action, row)
  const success = action in RESULTS ? RESULTS[action] : expect.objectContaining({ ok: true })
  if (of) expect(await call(name, other, input)).not.toEqual(success)
  const self = right?.startsWith("service.") ? operator : (actor as UserActor)
  expect(await call(name, self, input)).toEqual(success)
  if (action === "setTheme") expect(nextRequest.headers.get("cookie")).toContain("=dark")
})

test.each(Object.entries(ACTIONS))("%s changes and shows nothing of another account, by its ids", async (name, row) => {
  const before = await allRows()
  expect(owner.uuids.filter((id) => !before.includes(id))).toEqual([])
  for (const id of [...owner.ids, ...owner.numbers]) {
    const answer = await call(name, other, attempt(row, id))
    if (row[2]?.of) expect(answer).not.toMatchObject({ ok: true })
    expect(leakedTexts(answer, id)).toEqual([])
  }
  expect(await allRows()).toBe(before)
})

const isUuid = (id: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id)
const refusalOf = (error: Error) => error.message
const range = { days: 7 }

/** Verbs that read what an id names. */
const READS: Record<string, (actor: UserActor, id: string) => Promise<unknown>> = {
  findKey: (actor, id) => findKey(runtime(), actor, id),
  findRequest: (actor, id) => findRequest(runtime(), actor, { id: id.slice(0, 60) }),
  findAccountOfRequest: (actor, id) => findAccountOfRequest(runtime(), actor, { id: id.slice(0, 60) }),
  findDetails: (actor, id) => findDetails(runtime(), actor, { id: id.slice(0, 60) }),
  getUsage: (actor, id) => getUsage(runtime(), actor, { range, keyId: id.slice(0, 40), by: "key" }),
  listDailySpend: (actor, id) => listDailySpend(runtime(), actor, { days: 7, keyId: id.slice(0, 40) }),
  listRequests: (actor, id) => listRequests(runtime(), actor, { range, keyId: id.slice(0, 40) }),
  listEntries: (actor, id) => listEntries(runtime(), actor, { before: /^\d+$/.test(id) ? id : undefined }),
  listAudit: (actor, id) => listAudit(runtime(), actor, { before: /^\d+$/.test(id) ? id : null }),
  checkReturn: (actor, id) => checkReturn(runtime(), actor, { sessionId: id }).catch(refusalOf),
  findKeyOfAccount: ({ accountId }, id) =>
    findKeyOfAccount(runtime(), accountId, isUuid(id) ? id : newId()).catch(refusalOf),
}

/** Verbs that read what the actor's account has. */
const LISTS: Record<string, (actor: UserActor) => Promise<unknown>> = {
  listKeys: (actor) => listKeys(runtime(), actor),
  listSessions: (actor) => listSessions(runtime(), actor),
  listTopups: (actor) => listTopups(runtime(), actor),
  getStatement: (actor) => getStatement(runtime(), actor, { month: monthOf(new Date()) }),
  listRequests: (actor) => listRequests(runtime(), actor, { range, before: `${Date.now()}000_${owner.request}` }),
}

test.each(Object.entries(READS))("%s shows an object to its owner only", async (name, read) => {
  const differing: string[] = []
  for (const id of [...owner.ids, ...owner.numbers]) {
    const [own, others] = [await read(owner.actor, id), await read(other, id)]
    expect(leakedTexts(others, id)).toEqual([])
    if (name.startsWith("find") && name !== "findKeyOfAccount") expect(others).toBeNull()
    if (JSON.stringify(own) !== JSON.stringify(others)) differing.push(id)
  }
  expect(differing).not.toEqual([])
})

test.each(Object.entries(LISTS))("%s lists the objects of its owner only", async (_name, list) => {
  expect(leakedTexts(await list(other), "nothing")).toEqual([])
  expect(leakedTexts(await list(owner.actor), "nothing")).not.toEqual([])
})
