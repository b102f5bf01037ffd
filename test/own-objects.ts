import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { setBudget } from "@/lib/server/keys/budgets"
import { pauseKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { replaceKey } from "@/lib/server/keys/replace-key"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { changeRole, removeMember } from "@/lib/server/members/change-members"
import { inviteMember } from "@/lib/server/members/invitations"
import { addModel } from "@/lib/server/models/add-model"
import { keepOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { setOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { type Actor, OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testEndpoint } from "@/lib/server/webhooks/deliveries"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { query, sessionOf } from "./closing-fixture"
import type { StripeDouble } from "./doubles/stripe/stripe-double"
import { keepingAccount } from "./keeping-account"
import { withPasskey } from "./passkeys"
import { buy, buyAndPay, newOwner } from "./topup-fixture"
import { type IdKind, LATE_ALARMS } from "./verb-register"

export const KEY = { name: "CI", limit: null, expiresAt: null }
const ENDPOINT = { url: "https://hooks.example.com/", events: ["balance.low" as const] }

export const MODEL = {
  ...{ engineUrl: "http://127.0.0.1:9", engineModel: "kev", engine: "system-one" as const },
  ...{ tokenizerFolder: null, pricePico: pico(1n), bothOrders: false },
}

/** An actor, and the id of an object that the actor may change. */
export type Prepared<A extends Actor = Actor> = Promise<[A, string]>

export const key = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createKey(runtime(), owner, KEY)).id]
}

export const pausedKey = async (): Prepared<UserActor> => {
  const [owner, id] = await key()
  await pauseKey(runtime(), owner, { id })
  return [owner, id]
}

export const replacedKey = async (): Prepared<UserActor> => {
  const [owner, id] = await key()
  await replaceKey(runtime(), owner, { id, overlapHours: 24 })
  return [owner, id]
}

/** Signs up an owner whose account keeps outcomes. */
export async function keeping(): Promise<UserActor> {
  const owner = await newOwner()
  await keepOutcomes(runtime(), owner, { isOn: true })
  return owner
}

/** Does the same, and sets the alarms of a question. */
export async function watching(): Promise<UserActor> {
  const owner = await keeping()
  await setOutcomeAlarms(runtime(), owner, LATE_ALARMS)
  return owner
}

/** Signs up such an owner, and charges a request. The id is the request's. */
async function asked(): Prepared<UserActor> {
  const { actor, ask } = await keepingAccount(LEXICAL_BASELINE)
  return [actor, await ask()]
}

const token = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createAccountToken(runtime(), owner, { name: "CI", expiresAt: null })).id]
}

export const session = async (): Prepared<UserActor> => {
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
export const invited = (): Prepared<UserActor> => invite().then(({ user, id }) => [user, id])

/** Returns a developer of an account and its owner. */
export async function team(): Promise<{ owner: UserActor; developer: UserActor }> {
  const { owner, user, id } = await invite()
  await acceptInvitation(runtime(), user, { id })
  return { owner, developer: { ...user, accountId: owner.accountId, role: "developer" } }
}

const member = async (): Prepared<UserActor> => {
  const { owner, developer } = await team()
  return [owner, publicId("usr", developer.userId)]
}

/** The id names the member whose budget it is. */
const budget = async (): Prepared<UserActor> => {
  const [owner, id] = await member()
  await setBudget(runtime(), owner, { of: id, tag: "", period: "monthly", limitUsd: "5" })
  return [owner, id]
}

/** Creates a key, a token and a webhook as an owner of another's account, whom that account then removes. */
const leaver = async (): Prepared<UserActor> => {
  const { owner, developer } = await team()
  const id = publicId("usr", developer.userId)
  await changeRole(runtime(), owner, { id, role: "owner" })
  const left: UserActor = { ...developer, role: "owner" }
  await createKey(runtime(), left, KEY)
  await createAccountToken(runtime(), left, { name: "CI", expiresAt: null })
  await createEndpoint(runtime(), left, ENDPOINT)
  await removeMember(runtime(), owner, { id })
  return [owner, id]
}

export const model = async (): Prepared => {
  const id = `audited-${newId()}`
  await addModel(runtime(), OPERATOR, { ...MODEL, id })
  return [OPERATOR, id]
}

const openTopup = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, publicId("top", (await buy(owner)).id)]
}

const account = async (): Prepared => [OPERATOR, publicId("acc", (await newOwner()).accountId)]

export const paidTopup = async (double: StripeDouble): Prepared => [
  OPERATOR,
  publicId("top", (await buyAndPay(double, await newOwner())).id),
]

/** A top-up whose checkout was paid in another currency. */
export const doubtfulTopup = async (double: StripeDouble): Prepared => {
  const { id, sessionId } = await buy(await newOwner())
  Object.assign(double.world.store.get("checkout.session", sessionId), { currency: "eur" })
  double.pay(sessionId)
  await double.idle()
  return [OPERATOR, publicId("top", id)]
}

const passkey = async (): Prepared<UserActor> => {
  const user = await newOwner()
  return [user, (await withPasskey(user)).id]
}

const failedMail = async (): Prepared => {
  const { rows } = await query(
    `INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts, attempts, next_at)
     SELECT $1::uuid, account_id, user_id, 'key_created', $1::text, '{}', 50, NULL FROM member LIMIT 1 RETURNING id`,
    [newId()],
  )
  return [OPERATOR, rows[0].id]
}

export const endpoint = async (): Prepared<UserActor> => {
  const owner = await newOwner()
  return [owner, (await createEndpoint(runtime(), owner, ENDPOINT)).id]
}

const message = async (): Prepared<UserActor> => {
  const [owner, id] = await endpoint()
  await testEndpoint(runtime(), owner, { id })
  const sent = "UPDATE webhook_delivery SET next_at = NULL, sent_at = now() WHERE account_id = $1 RETURNING id"
  return [owner, publicId("msg", (await query(sent, [owner.accountId])).rows[0].id)]
}

/** Creates an object of a kind, in an account of its own. */
export const PREPARE: Record<IdKind, () => Prepared> = {
  ...{ account, budget, endpoint, invitation, key, leaver, member, message, model, request: asked, session, token },
  ...{ mail: failedMail, passkey, topup: openTopup },
}
