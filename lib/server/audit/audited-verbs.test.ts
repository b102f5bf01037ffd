import { expect, test } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { requestEmailChange } from "@/lib/server/auth/change-email"
import { pauseKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { inviteMember } from "@/lib/server/members/invitations"
import { addModel } from "@/lib/server/models/add-model"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { type Actor, OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testEndpoint } from "@/lib/server/webhooks/deliveries"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { pico } from "@/lib/shared/money"
import { automatic, enterCard, TERMS } from "@/test/auto-topup-fixture"
import { keepMails, query, sessionOf } from "@/test/closing-fixture"
import { buy, buyAndPay, newOwner, testTopups } from "@/test/topup-fixture"
import { type IdKind, VERBS, type VerbRow } from "@/test/verb-register"
import type { AuditAction } from "./actions"

const { double } = await testTopups()
await openCatalogue(runtime())
keepMails()

/** Matches verbs that change nothing, or only store what Stripe or an engine reports. `streamExport` also matches, but leaves an entry. */
const READING = /^(?:check|explain|find|get|has|list|probe|read|report|sample|search|stream|sum)/
/** Verbs that change only what the caller sees, or nothing until a link or a checkout is used. */
const SILENT = [
  "accounts/first-steps.ts markFirstSteps",
  "auth/confirmation.ts requestConfirmation",
  "auth/switch-account.ts switchAccount",
  "billing/save-card-session.ts startCardSession",
]

const KEY = { name: "CI", limit: null, expiresAt: null }
const ENDPOINT = { url: "https://hooks.example.com/", events: ["balance.low" as const] }

const MODEL = {
  ...{ engineUrl: "http://127.0.0.1:9", engineModel: "kev", engine: "system-one" as const },
  ...{ tokenizerFolder: null, pricePico: pico(1n), bothOrders: false },
}

/** An actor, and the id of what the actor's call is about. */
type Prepared<A extends Actor = Actor> = Promise<[A, string]>

const key = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createKey(runtime(), owner, KEY)).id]
}

const pausedKey = async (): Prepared<UserActor> => {
  const [owner, id] = await key()
  await pauseKey(runtime(), owner, { id })
  return [owner, id]
}

const token = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createAccountToken(runtime(), owner, { name: "CI" })).id]
}

const session = async (): Prepared<UserActor> => {
  const actor = await sessionOf(await newOwner())
  return [actor, publicId("ses", actor.sessionId)]
}

/** Signs up an owner who invites a user as a developer. */
async function invite(): Promise<{ owner: UserActor; user: UserActor; id: string }> {
  const [owner, user] = [await newOwner(), await sessionOf(await newOwner())]
  const { id } = await inviteMember(runtime(), owner, { email: user.email, role: "developer" })
  await query("DELETE FROM invitation_mail")
  return { owner, user, id }
}

const invitation = (): Prepared<UserActor> => invite().then(({ owner, id }) => [owner, id])
const invited = (): Prepared<UserActor> => invite().then(({ user, id }) => [user, id])

/** Returns a developer of an account and its owner. */
async function team(): Promise<{ owner: UserActor; developer: UserActor }> {
  const { owner, user, id } = await invite()
  await acceptInvitation(runtime(), user, { id })
  return { owner, developer: { ...user, accountId: owner.accountId, role: "developer" } }
}

const member = async (): Prepared<UserActor> => {
  const { owner, developer } = await team()
  return [owner, publicId("usr", developer.userId)]
}

const model = async (): Prepared => {
  const id = `audited-${newId()}`
  await addModel(runtime(), OPERATOR, { ...MODEL, id })
  return [OPERATOR, id]
}

const openTopup = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, publicId("top", (await buy(owner)).id)]
}

const paidTopup = async (): Prepared => [OPERATOR, publicId("top", (await buyAndPay(double, await newOwner())).id)]

const failedMail = async (): Prepared => {
  const { rows } = await query(
    `INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts, attempts, next_at)
     SELECT $1::uuid, account_id, user_id, 'key_created', $1::text, '{}', 50, NULL FROM member LIMIT 1 RETURNING id`,
    [newId()],
  )
  return [OPERATOR, rows[0].id]
}

const endpoint = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createEndpoint(runtime(), owner, ENDPOINT)).id]
}

const message = async (): Prepared<UserActor> => {
  const [owner, id] = await endpoint()
  await testEndpoint(runtime(), owner, { id })
  const sent = "UPDATE webhook_delivery SET next_at = NULL, sent_at = now() WHERE account_id = $1 RETURNING id"
  return [owner, publicId("msg", (await query(sent, [owner.accountId])).rows[0].id)]
}

type Call = () => Promise<unknown[]>

/** A call whose input is the id of what was prepared, and more. */
const withId =
  (prepare: () => Prepared, more: object = {}): Call =>
  async () => {
    const [actor, id] = await prepare()
    return [actor, { id, ...more }]
  }

const asOwner =
  (...input: unknown[]): Call =>
  async () => [await newOwner(), ...input]

const after =
  (prepare: (owner: UserActor) => Promise<unknown>, ...input: unknown[]): Call =>
  async () => {
    const owner = await newOwner()
    await prepare(owner)
    return [owner, ...input]
  }

const asOperator =
  (...input: unknown[]): Call =>
  async () => [operatorFor((await newOwner()).accountId), ...input]

const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)

/** Verbs that need more than an id and the input of the register: the entries in alphabetical order, and the arguments. */
const PARTICULAR: Record<string, [AuditAction[], Call]> = {
  "accounts/set-account-rates.ts setAccountRates": [["account.limits"], asOperator({ perSecond: 1, perKey: 1 })],
  "auth/account-status.ts setAccountStatus": [["account.suspend"], asOperator("suspended")],
  "auth/change-email.ts requestEmailChange": [["user.email_ask"], asOwner({ email: "asked@example.com" })],
  "auth/change-email.ts cancelEmailChange": [
    ["user.email_cancel"],
    after((owner) => requestEmailChange(runtime(), owner, { email: "cancelled@example.com" })),
  ],
  "auth/sessions.ts endAllSessions": [["session.end"], async () => [(await session())[0]]],
  "billing/auto-topup.ts turnOffAutoTopup": [["auto_topup.off"], async () => [await automatic(double)]],
  "billing/auto-topup.ts turnOnAutoTopup": [["auto_topup.on"], after((owner) => enterCard(double, owner), TERMS)],
  "billing/payment-totals.ts refreshTopup": [["topup.refresh"], withId(paidTopup)],
  "billing/refund-topup.ts refundTopup": [
    ["topup.adjust", "topup.refund"],
    withId(paidTopup, { amountCents: null, note: "By request" }),
  ],
  "billing/saved-card.ts removeCard": [["card.remove"], async () => [await automatic(double)]],
  "billing/start-topup.ts startTopup": [
    ["topup.start"],
    asOwner({ attempt: newId(), amountUsd: "5", saveCard: false }),
  ],
  "closing/close-account.ts closeAccount": [
    ["account.close"],
    async () => {
      const owner = await newOwner()
      return [owner, { name: owner.email }]
    },
  ],
  "closing/delete-user.ts deleteUser": [
    ["account.close", "member.leave", "session.end", "user.delete"],
    async () => {
      const { developer } = await team()
      return [developer, { email: developer.email }]
    },
  ],
  "closing/export-account.ts streamExport": [["account.export"], asOwner()],
  "keys/change-key.ts resumeKey": [["key.resume"], withId(pausedKey)],
  "keys/revoke-key.ts revokeKey": [["key.revoke"], withId(key)],
  "keys/revoke-key.ts revokeKeys": [
    ["key.revoke", "key.revoke"],
    async () => {
      const [owner, id] = await key()
      return [owner, { ids: [id, (await createKey(runtime(), owner, KEY)).id] }]
    },
  ],
  "ledger/adjust-balance.ts adjustBalance": [
    ["account.debit"],
    asOperator({ kind: "debit", amountPico: 1n, note: "Taken" }),
  ],
  "members/accept-invitation.ts acceptInvitation": [["member.join"], withId(invited)],
  "members/change-members.ts leaveAccount": [["member.leave", "session.end"], async () => [(await team()).developer]],
  "models/add-model.ts addModel": [["model.add"], async () => [OPERATOR, { ...MODEL, id: "audited-1" }]],
  "models/alias-announcement.ts announceAlias": [
    ["model.announce"],
    async () => [OPERATOR, { toId: (await model())[1], on: inTenDays }],
  ],
  "models/alias.ts moveAlias": [["model.alias"], async () => [OPERATOR, { toId: (await model())[1] }]],
  "models/retire-model.ts retireModel": [["model.retire"], withId(model, { replacementId: null })],
  "models/set-model.ts setLimits": [["model.limits"], withId(model, { maxQuestions: 3 })],
  "models/set-model.ts setPrice": [["model.price"], withId(model, { pricePico: 2n })],
}

const PREPARE: Partial<Record<IdKind, () => Prepared>> = {
  ...{ endpoint, invitation, key, member, message, session, token },
  ...{ mail: failedMail, topup: openTopup },
}

/** Calls a verb with the input of the register. */
const asRegistered =
  ([right, input, { of } = {}]: VerbRow): Call =>
  async () => {
    const [actor, id] = (await (of && PREPARE[of]?.())) ?? [
      right === "service.operate" ? OPERATOR : await newOwner(),
      "",
    ]
    return [actor, input(id)]
  }

/** Every verb that writes. */
const AUDITED: [string, [AuditAction[], Call]][] = [
  ...Object.entries(PARTICULAR),
  ...Object.entries(VERBS).flatMap(([verb, row]): [string, [AuditAction[], Call]][] =>
    row[2]?.audit ? [[verb, [row[2].audit, asRegistered(row)]]] : [],
  ),
]

test("every verb is known to write, to read, or to change nothing that others see", () => {
  const isReading = (name: string) => READING.test(name.split(" ")[1] ?? "") && !name.endsWith(" streamExport")
  const writing = Object.keys(VERBS).filter((name) => !isReading(name) && !SILENT.includes(name))
  expect(AUDITED.map(([name]) => name).toSorted()).toEqual(writing.toSorted())
})

test.each(AUDITED)("%s leaves its entries in the audit log", async (name, [actions, call]) => {
  const [file, verb = ""] = name.split(" ")
  const module = await import(/* @vite-ignore */ `../${file}`)
  const given = await call()
  const { rows: before } = await query("SELECT max(id) AS id FROM audit_event")
  const result = await module[verb](runtime(), ...given)
  if (result instanceof ReadableStream) await result.cancel()
  await double.idle()
  const { rows } = await query("SELECT action FROM audit_event WHERE id > $1 ORDER BY action", [before[0].id])
  expect(rows.map(({ action }) => action)).toEqual(actions)
})
