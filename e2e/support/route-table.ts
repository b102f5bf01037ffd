import { randomUUID } from "node:crypto"
import type { Owner } from "./people"

type Ids = Owner["ids"]

/** Returns a request that tries to use an id. Handlers that only read get the id in path and query. */
type Attempt = (id: string, ids: Ids) => { path?: string; headers?: Record<string, string>; body?: string }

const READ: Attempt = () => ({})
const json = { "content-type": "application/json" }
const question = { late: { type: "noul", instructions: "Is it late?" } }
const decision = (id: string) => JSON.stringify({ model: id, state: { id, account: id }, questions: question })
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const FORM = { "content-type": "application/x-www-form-urlencoded" }

/** Every route handler of Next and every route of the server itself. One that is missing here fails the test. */
export const HANDLERS: Record<string, Attempt[]> = {
  "GET /api/account": [(id) => ({ headers: { authorization: `Bearer ${id}` } })],
  "GET /api/auth/[...nextauth]": [READ],
  "GET /api/openapi.json": [READ],
  "GET /api/usage": [(id) => ({ headers: { authorization: `Bearer ${id}` } })],
  "GET /billing/ledger.csv": [READ],
  "GET /confirmation": [READ],
  "GET /docs-source/[slug]": [READ],
  "GET /docs/search.json": [READ],
  "GET /first-steps": [READ],
  "GET /healthz": [READ],
  "GET /llms-full.txt": [READ],
  "GET /llms.txt": [READ],
  "GET /logo/[file]": [READ],
  "GET /metrics": [READ],
  "GET /openapi.json": [READ],
  "GET /readyz": [READ],
  "GET /search": [READ],
  "GET /settings/export.zip": [READ],
  "GET /status.json": [READ],
  "GET /usage/requests.csv": [READ],
  "GET /v1/models": [READ],
  "POST /api/auth/[...nextauth]": [
    (id, { email = "" }) => ({ path: "/api/auth/callback/email", headers: FORM, body: form({ token: id, email, id }) }),
    (id) => ({ path: "/api/auth/callback/email", headers: FORM, body: form({ token: "0".repeat(64), email: id }) }),
    (id) => ({ path: "/api/auth/session", headers: FORM, body: form({ id, session: id, email: id }) }),
  ],
  "POST /api/stripe/webhook": [
    (id) => ({
      headers: { ...json, "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` },
      body: JSON.stringify({
        id: "evt_1",
        type: "checkout.session.completed",
        data: { object: { id, metadata: { topup: id } } },
      }),
    }),
  ],
  "POST /playground/decisions": [
    (id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision("svc-decider-latest") }),
    (id) => ({ headers: json, body: decision(id) }),
  ],
  "POST /playground/tokens": [(id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision(id) })],
  "POST /v1/decisions": [
    (id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision(id) }),
    (id) => ({ headers: { ...json, authorization: `Bearer ${id}` }, body: decision("svc-decider-latest") }),
  ],
  "POST /v1/systemone": [
    (id) => ({ headers: { ...json, "x-svc-key-id": id }, body: decision(id) }),
    (id) => ({ headers: { ...json, authorization: `Bearer ${id}` }, body: decision("svc-decider-latest") }),
  ],
}

const CONFIRM = "app/(console)/_components/confirm/actions.ts"
const FIRST_STEPS = "app/(console)/_components/first-steps/actions.ts"
const BILLING = "app/(console)/billing/actions.ts"
const KEYS = "app/(console)/keys/actions.ts"
const OPERATED = "app/(console)/operator/actions.ts"
const OPERATED_MODELS = "app/(console)/operator/models/actions.ts"
const OPERATED_PAYMENTS = "app/(console)/operator/payments/actions.ts"
const OPERATED_ACCOUNTS = "app/(console)/operator/accounts/actions.ts"
const OPERATED_MAIL = "app/(console)/operator/mail/actions.ts"
const WEBHOOKS = "app/(console)/settings/webhooks/actions.ts"
const SETTINGS = "app/(console)/settings/actions.ts"
const MEMBERS = "app/(console)/members/actions.ts"

/** Every server action with arguments that try to use an id. One that is missing here fails the test. */
export const ACTIONS: Record<string, (id: string) => unknown[]> = {
  [`${CONFIRM} requestConfirmationAction`]: (id) => [{ returnTo: id }],
  [`${FIRST_STEPS} markFirstStepsAction`]: (id) => [id],
  [`${BILLING} cancelTopupAction`]: (id) => [{ id }],
  [`${BILLING} checkTopupAction`]: (id) => [{ id }],
  [`${BILLING} removeCardAction`]: (id) => [{ id }],
  [`${BILLING} startCardSessionAction`]: (id) => [{ accountId: id }],
  [`${BILLING} turnOffAutoTopupAction`]: (id) => [{ accountId: id }],
  [`${BILLING} turnOnAutoTopupAction`]: (id) => [{ thresholdUsd: "5", amountUsd: "25", capUsd: "100", accountId: id }],
  [`${BILLING} startTopupAction`]: (id) => [{ attempt: id, amountUsd: "7654.32" }],
  [`${KEYS} createKeyAction`]: (id) => [{ name: "Taken", limit: null, expiresAt: null, accountId: id }],
  [`${KEYS} changeKeyAction`]: (id) => [{ id, name: "Taken", note: "" }],
  [`${KEYS} pauseKeyAction`]: (id) => [{ id }],
  [`${KEYS} resumeKeyAction`]: (id) => [{ id }],
  [`${KEYS} revokeKeysAction`]: (id) => [{ ids: [id] }],
  "app/(console)/models/actions.ts echoInput": (id) => [{ model: "", state: "", questions: "" }, { id }],
  "app/(auth)/join/[id]/actions.ts acceptInvitationAction": (id) => [{ id }],
  [`${MEMBERS} changeRoleAction`]: (id) => [{ id, role: "owner" }],
  [`${MEMBERS} inviteMemberAction`]: (id) => [{ email: "taken@example.com", role: "owner", accountId: id }],
  [`${MEMBERS} removeMemberAction`]: (id) => [{ id }],
  [`${MEMBERS} resendInvitationAction`]: (id) => [{ id }],
  [`${MEMBERS} revokeInvitationAction`]: (id) => [{ id }],
  [`${MEMBERS} transferOwnershipAction`]: (id) => [{ id }],
  [`${OPERATED_ACCOUNTS} adjustBalanceAction`]: (id) => [
    { accountId: id, kind: "credit", attempt: randomUUID(), amountUsd: "5", note: "Taken" },
  ],
  [`${OPERATED_ACCOUNTS} setAccountRatesAction`]: (id) => [{ accountId: id, perSecond: "1", perKey: "1" }],
  [`${OPERATED_ACCOUNTS} setAccountStatusAction`]: (id) => [{ accountId: id, status: "suspended" }],
  [`${OPERATED} verifyLedgerAction`]: () => [{}],
  [`${OPERATED_MAIL} resendMailAction`]: () => [{ id: randomUUID() }],
  [`${OPERATED_MODELS} announceAliasAction`]: (id) => [{ id, on: "2099-12-01" }],
  [`${OPERATED_MODELS} moveAliasAction`]: (id) => [{ id }],
  [`${OPERATED_MODELS} probeModelAction`]: (id) => [{ id }],
  [`${OPERATED_MODELS} retireModelAction`]: (id) => [{ id, replacementId: "" }],
  [`${OPERATED_MODELS} setLimitsAction`]: (id) => [
    { id, maxQuestions: "1", maxOptions: "2", maxLevels: "2", maxBodyBytes: "1" },
  ],
  [`${OPERATED_MODELS} setPriceAction`]: (id) => [{ id, priceUsd: "1" }],
  [`${OPERATED_PAYMENTS} reconcilePaymentsAction`]: () => [{}],
  [`${OPERATED_PAYMENTS} refreshTopupAction`]: (id) => [{ id }],
  [`${OPERATED_PAYMENTS} refundTopupAction`]: (id) => [{ id, amountUsd: "", note: "Taken" }],
  [`${SETTINGS} cancelEmailAction`]: (id) => [{ id }],
  // With the owner's address it would begin a change of the caller's own, which says nothing about addresses in use.
  [`${SETTINGS} changeEmailAction`]: (id) => [{ email: `${id}@` }],
  [`${SETTINGS} closeAccountAction`]: (id) => [{ name: id }],
  [`${SETTINGS} deleteUserAction`]: (id) => [{ email: id }],
  [`${WEBHOOKS} createEndpointAction`]: (id) => [
    { url: "https://taken.example.com/", events: ["balance.low"], accountId: id },
  ],
  [`${WEBHOOKS} deleteEndpointAction`]: (id) => [{ id }],
  [`${WEBHOOKS} resendDeliveryAction`]: (id) => [{ id }],
  [`${WEBHOOKS} rotateSecretAction`]: (id) => [{ id }],
  [`${WEBHOOKS} testEndpointAction`]: (id) => [{ id }],
  [`${SETTINGS} createTokenAction`]: (id) => [{ name: "Taken", accountId: id }],
  [`${SETTINGS} muteMailAction`]: (id) => [{ muted: [], accountId: id }],
  [`${SETTINGS} revokeTokenAction`]: (id) => [{ id }],
  [`${SETTINGS} warnAtAction`]: (id) => [{ amountUsd: "3", accountId: id }],
  [`${SETTINGS} endSessionAction`]: (id) => [{ id }],
  [`${SETTINGS} leaveAccountAction`]: (id) => [{ id }],
  [`${SETTINGS} renameAccountAction`]: (id) => [{ name: "Taken", id }],
  "app/(console)/_components/theme/actions.ts setTheme": (id) => [{ theme: id }],
}

export const QUERY_NAMES =
  "id key keyId account accountId user userId session session_id topup request requestId entry event before after cursor month q model from to by result next topic amount card".split(
    " ",
  )
