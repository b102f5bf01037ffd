import { randomUUID } from "node:crypto"
import type { AuditAction } from "@/lib/server/audit/actions"
import type { Right } from "@/lib/shared/accounts/roles"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"
import { importsOf, listActions } from "./list-routes"

/** What the id in an input may be of. */
export type IdKind =
  | (
      | "account"
      | "budget"
      | "endpoint"
      | "invitation"
      | "key"
      | "leaver"
      | "mail"
      | "member"
      | "message"
      | "model"
      | "passkey"
      | "request"
      | "session"
      | "token"
    )
  | "topup"

/**
 * `right` is what the verb needs; null for what every member may do. `input` returns what the verb, or its server action, gets after
 * the actor. It is harmless with the id of a key, and tries to use the id of another account's object. `of` says what the id is of.
 * `audit` lists the entries in the audit log, unless audited-verbs.test.ts calls the verb with more.
 */
export type VerbRow = [
  right: Right | null,
  input: (id: string) => unknown,
  more?: { of?: IdKind; audit?: AuditAction[] },
]

/** Matches verbs that change nothing, or only store what Stripe or an engine reports. `streamExport` also matches, but leaves an entry. */
export const READING = /^(?:check|explain|find|get|has|list|probe|read|report|sample|search|stream|sum)/

const range = { days: 7 }
const month = "2026-11"
const sessionId = "cs_test_1"
const one = (id: string) => ({ id })
const nothing = () => ({})
const forNobody = () => ({ email: "nobody@example.com", note: "By letter" })
/** Responses of a browser that no passkey made. */
const NO_PASSKEY = { name: "Taken", id: "AA", clientDataJSON: "AA", attestationObject: "AA", transports: [] }
const NO_SIGNATURE = { verb: "createKey", id: "AA", clientDataJSON: "AA", authenticatorData: "AA", signature: "AA" }
/** A question, and alarms that can be set for it. */
export const LATE = { question: "late", type: "noul", model: "m" } as const
/** Returns the report of one outcome of a request. */
export const lateOutcome = (request_id: string): OutcomeRequest => ({
  outcomes: [{ request_id, question: "late", type: "noul", predicted: 0.9, outcome: true }],
})
export const LATE_ALARMS = { ...LATE, rule: { from: 0.9, below: null, targetAbove: 0.05, targetBelow: 0.05 } }
const uuidOf = (id: string): string => (/^[0-9a-f]{8}-/.test(id) ? id : randomUUID())

/** Every verb. The tests of roles, of other accounts' ids and of the audit log read this table, also for the actions that call them. */
export const VERBS: Record<string, VerbRow> = {
  "accounts/account-name.ts listOwnAccounts": [null, nothing],
  "accounts/account-name.ts renameAccount": [
    "account.manage",
    () => ({ name: "Taken" }),
    { audit: ["account.rename"] },
  ],
  "accounts/add-account.ts addAccount": [null, () => ({ name: "Taken" }), { audit: ["account.create"] }],
  "accounts/account-tokens.ts createAccountToken": [
    "tokens.manage",
    () => ({ name: "Taken", expiresAt: null }),
    { audit: ["token.create"] },
  ],
  "accounts/account-tokens.ts listAccountTokens": ["tokens.read", nothing],
  "accounts/account-tokens.ts revokeAccountToken": ["tokens.manage", one, { of: "token", audit: ["token.revoke"] }],
  "accounts/account-totals.ts getAccountTotals": ["service.read", nothing],
  "accounts/alerts.ts readAlerts": ["account.read", nothing],
  "accounts/alerts.ts saveAlerts": ["account.read", () => ({ muted: [], endpoints: [] })],
  "accounts/allowance-rules.ts endAllowance": ["service.finance", one],
  "accounts/allowance-rules.ts listAllowances": ["service.read", nothing],
  "accounts/allowance-rules.ts setAllowance": [
    "service.finance",
    () => ({ target: "taken.example", per: "account", amountUsd: "1", carriesOver: false }),
  ],
  "accounts/credit-accounts.ts creditAccounts": ["service.finance", () => ({ lines: [] })],
  "accounts/first-steps.ts getFirstSteps": [null, nothing],
  "accounts/first-steps.ts markFirstSteps": [null, () => "hidden"],
  "accounts/get-account.ts getAccount": ["account.read", nothing],
  "accounts/get-account.ts getAccountOverview": ["service.read", nothing],
  "accounts/list-accounts.ts listAccounts": ["service.read", () => ({ limit: 1, after: null })],
  "accounts/mail-settings.ts readMailSettings": ["account.read", nothing],
  "accounts/mail-settings.ts warnAt": ["billing.pay", () => ({ amountUsd: "3" }), { audit: ["account.warn_at"] }],
  "accounts/operator-tokens.ts createOperatorToken": [
    "service.operate",
    () => ({ name: "Taken", rights: ["service.operate"], expiresAt: null }),
    { audit: ["operator_token.create"] },
  ],
  "accounts/operator-tokens.ts listOperatorTokens": ["service.operate", nothing],
  "accounts/operator-tokens.ts revokeOperatorToken": ["service.operate", one],
  "accounts/report-account.ts reportAccount": ["account.read", nothing],
  "accounts/set-account-rates.ts setAccountRates": [
    "service.operate",
    (id) => ({ accountId: id, perSecond: "1", perKey: "1" }),
    { of: "account" },
  ],
  "audit/list-audit.ts listAudit": ["audit.read", nothing],
  "audit/list-audit.ts listAuditForward": ["audit.read", nothing],
  "audit/look-at-account.ts lookAtAccount": ["service.read", (id) => ({ id, page: "/usage" }), { of: "account" }],
  "audit/list-service-audit.ts listServiceAudit": ["service.read", nothing],
  "audit/list-service-audit.ts listServiceAuditForward": ["service.read", nothing],
  "auth/account-status.ts setAccountStatus": [
    "service.operate",
    (id) => ({ accountId: id, status: "suspended" }),
    { of: "account" },
  ],
  "auth/change-email.ts cancelEmailChange": ["account.read", nothing],
  "auth/change-email.ts findEmailChange": ["account.read", nothing],
  "auth/change-email.ts requestEmailChange": ["account.read", (id) => ({ email: `${id}@` })],
  "auth/confirmation.ts requestConfirmation": [null, (id) => ({ verb: "createKey", returnTo: id })],
  "auth/operators.ts inviteOperator": [
    "service.operate",
    () => ({ email: "invited@example.com", role: "support" }),
    { audit: ["operator.invite"] },
  ],
  "auth/operators.ts listOperators": ["service.operate", nothing],
  "auth/passkeys/add-passkey.ts addPasskey": ["account.read", () => NO_PASSKEY],
  "auth/passkeys/add-passkey.ts startPasskey": ["account.read", nothing],
  "auth/passkeys/confirm-by-passkey.ts confirmByPasskey": ["account.read", () => NO_SIGNATURE],
  "auth/passkeys/confirm-by-passkey.ts startPasskeyConfirmation": ["account.read", () => ({ verb: "createKey" })],
  "auth/passkeys/own-passkeys.ts hasPasskey": ["account.read", nothing],
  "auth/passkeys/own-passkeys.ts listPasskeys": ["account.read", nothing],
  "auth/passkeys/own-passkeys.ts removePasskey": ["account.read", one, { of: "passkey", audit: ["passkey.remove"] }],
  "auth/passkeys/own-passkeys.ts renamePasskey": [
    "account.read",
    (id) => ({ id, name: "Taken" }),
    { of: "passkey", audit: ["passkey.rename"] },
  ],
  "auth/operators.ts removeOperator": ["service.operate", one],
  "auth/sessions.ts endAllSessions": [null, nothing],
  "auth/sessions.ts endOwnSession": [null, one, { of: "session", audit: ["session.end"] }],
  "auth/sessions.ts listSessions": [null, nothing],
  "auth/switch-account.ts switchAccount": [null, one],
  "billing/auto-topup.ts getAutoTopup": ["billing.read", nothing],
  "billing/auto-topup.ts turnOffAutoTopup": ["billing.automate", nothing],
  "billing/auto-topup.ts turnOnAutoTopup": [
    "billing.automate",
    () => ({ thresholdUsd: "5", amountUsd: "25", capUsd: "100" }),
  ],
  "billing/balance.ts explainDebt": ["billing.read", () => "-1"],
  "billing/balance.ts getBalance": ["account.read", nothing],
  "billing/billing-details.ts getBillingDetails": ["billing.read", nothing],
  "billing/billing-details.ts saveBillingDetails": [
    "billing.pay",
    () => ({ company: "Taken", address: "", vatId: "", purchaseOrder: "" }),
    { audit: ["account.billing_details"] },
  ],
  "billing/cancel-topup.ts cancelTopup": ["billing.pay", one, { of: "topup", audit: ["topup.cancel"] }],
  "billing/check-topup.ts checkReturn": ["billing.read", () => ({ sessionId })],
  "billing/check-topup.ts checkTopup": ["billing.read", one, { of: "topup" }],
  "billing/entries.ts listEntries": ["billing.read", nothing],
  "billing/export-ledger.ts streamLedger": ["billing.read", () => ({ month })],
  "billing/get-statement.ts getStatement": ["billing.read", () => ({ month })],
  "billing/failed-events.ts listFailedEvents": ["service.read", nothing],
  "billing/list-payments.ts listPayments": ["service.read", nothing],
  "billing/list-statements.ts listStatements": ["billing.read", nothing],
  "billing/months.ts listMonths": ["billing.read", nothing],
  "billing/open-dispute.ts checkOpenDispute": ["billing.read", nothing],
  "billing/payment-totals.ts getPaymentTotals": ["service.read", nothing],
  "billing/payment-totals.ts reconcilePayments": ["service.finance", nothing, { audit: ["topup.reconcile"] }],
  "billing/payment-totals.ts refreshTopup": ["service.finance", one, { of: "topup" }],
  "billing/refund-topup.ts refundTopup": [
    "service.finance",
    (id) => ({ id, amountUsd: "", note: "Taken" }),
    { of: "topup" },
  ],
  "billing/resolve-topup.ts endTopup": ["service.finance", (id) => ({ id, note: "Taken" }), { of: "topup" }],
  "billing/resolve-topup.ts settleTopup": [
    "service.finance",
    (id) => ({ id, amountUsd: "5", note: "Taken" }),
    { of: "topup" },
  ],
  "billing/runway.ts getRunway": ["account.read", nothing],
  "billing/save-card-session.ts checkCardReturn": ["billing.automate", () => ({ sessionId })],
  "billing/save-card-session.ts startCardSession": ["billing.automate", nothing],
  "billing/saved-card.ts removeCard": ["billing.automate", nothing],
  "billing/start-topup.ts startTopup": ["billing.pay", (id) => ({ attempt: uuidOf(id), amountUsd: "7.65" })],
  "billing/topup.ts listTopups": ["billing.read", nothing],
  "closing/act-for-person.ts endPersonSessions": ["service.operate", forNobody],
  "closing/act-for-person.ts erasePerson": ["service.operate", forNobody],
  "closing/act-for-person.ts removePerson": ["service.operate", forNobody],
  "closing/export-person.ts exportPerson": ["service.operate", forNobody],
  "closing/find-person.ts getPerson": ["service.read", forNobody],
  "closing/close-account.ts closeAccount": ["account.close", (id) => ({ name: id })],
  "closing/delete-user.ts deleteUser": ["account.read", (id) => ({ email: id })],
  "closing/delete-user.ts listOwnedAlone": ["account.read", nothing],
  "closing/export-account.ts checkExport": ["account.export", nothing],
  "closing/export-account.ts streamExport": ["account.export", nothing],
  "closing/export-facts.ts readExportFacts": ["account.export", nothing],
  "decisions/record-examples.ts recordExamples": ["service.operate", one, { of: "model" }],
  "health/list-fleet.ts listFleet": ["service.read", nothing],
  "health/get-health.ts getHealth": ["service.read", nothing],
  "keys/budgets.ts listBudgets": ["keys.read", nothing],
  "keys/budgets.ts removeBudget": [
    "account.manage",
    (id) => ({ of: id, tag: "", period: "monthly" }),
    { of: "budget", audit: ["budget.remove"] },
  ],
  "keys/budgets.ts setBudget": [
    "account.manage",
    (id) => ({ of: id, tag: "", period: "daily", limitUsd: "5" }),
    { of: "member", audit: ["budget.set"] },
  ],
  "keys/change-key.ts changeKey": [
    "keys.manage",
    (id) => ({ id, name: "Taken", note: "" }),
    { of: "key", audit: ["key.change"] },
  ],
  "keys/change-key.ts pauseKey": ["keys.manage", one, { of: "key", audit: ["key.pause"] }],
  "keys/change-key.ts resumeKey": ["keys.manage", one, { of: "key" }],
  "keys/create-key.ts createKey": [
    "keys.manage",
    () => ({ name: "Taken", limit: null, expiresAt: null }),
    { audit: ["key.create"] },
  ],
  "keys/key-rules.ts getKeyRules": ["keys.read", nothing],
  "keys/key-rules.ts setKeyRules": [
    "account.manage",
    () => ({ defaultUsd: "", defaultPeriod: "daily", maxUsd: "" }),
    { audit: ["account.key_rules"] },
  ],
  "keys/read-keys.ts findAccountOfKey": ["keys.read", (id) => id],
  "keys/read-keys.ts findKey": ["keys.read", (id) => id],
  "keys/read-keys.ts listKeys": ["keys.read", nothing],
  "keys/read-keys.ts listNewestKeys": ["keys.read", () => 1],
  "keys/read-keys.ts sampleSpend": ["keys.read", nothing],
  "keys/replace-key.ts endOldSecret": ["keys.manage", one, { of: "key" }],
  "keys/replace-key.ts replaceKey": [
    "keys.manage",
    (id) => ({ id, overlapHours: "24" }),
    { of: "key", audit: ["key.replace"] },
  ],
  "keys/restrictions.ts restrictKey": [
    "keys.manage",
    (id) => ({ id, models: [], routes: [], networks: [] }),
    { of: "key", audit: ["key.restrict"] },
  ],
  "keys/revoke-key.ts revokeKey": ["keys.manage", one],
  "keys/revoke-key.ts revokeKeys": ["keys.manage", (id) => ({ ids: [id] }), { of: "key" }],
  "ledger/adjust-balance.ts adjustBalance": [
    "service.finance",
    (id) => ({ accountId: id, kind: "credit", attempt: randomUUID(), amountUsd: "5", reference: "", note: "Taken" }),
    { of: "account" },
  ],
  "ledger/check-runs.ts listLedgerChecks": ["service.read", nothing],
  "ledger/check-runs.ts requestLedgerCheck": ["service.finance", nothing, { audit: ["ledger.verify"] }],
  "mail/mail-queue.ts listQueuedMail": ["service.read", nothing],
  "mail/mail-queue.ts resendMail": [
    "service.operate",
    (id) => ({ id: uuidOf(id) }),
    { of: "mail", audit: ["mail.resend"] },
  ],
  "members/accept-invitation.ts acceptInvitation": [null, one, { of: "invitation" }],
  "members/accept-invitation.ts findInvitation": [null, one],
  "members/change-members.ts changeRole": [
    "members.manage",
    (id) => ({ id, role: "viewer" }),
    { of: "member", audit: ["member.role"] },
  ],
  "members/change-members.ts leaveAccount": ["account.read", nothing],
  "members/change-members.ts removeMember": [
    "members.manage",
    one,
    { of: "member", audit: ["member.remove", "session.end"] },
  ],
  "members/invitations.ts inviteMember": [
    "members.manage",
    () => ({ email: "taken@example.com", role: "viewer" }),
    { audit: ["member.invite"] },
  ],
  "members/invitations.ts resendInvitation": ["members.manage", one, { of: "invitation", audit: ["member.resend"] }],
  "members/invitations.ts revokeInvitation": ["members.manage", one, { of: "invitation", audit: ["member.revoke"] }],
  "members/creations.ts endLeft": [
    "members.manage",
    one,
    { of: "leaver", audit: ["key.revoke", "token.revoke", "webhook.delete"] },
  ],
  "members/creations.ts listCreations": ["account.read", nothing],
  "members/list-members.ts listInvitations": ["invitations.read", nothing],
  "members/list-members.ts listMembers": ["members.read", nothing],
  "members/transfer-ownership.ts transferOwnership": ["members.manage", one, { of: "member", audit: ["member.offer"] }],
  "models/add-cascade.ts addCascade": ["service.operate", nothing],
  "models/add-model.ts addModel": ["service.operate", nothing],
  "models/alias-use.ts listAliasAccounts": ["service.read", nothing],
  "models/alias.ts moveAlias": ["service.operate", one, { of: "model" }],
  "models/change-engine.ts changeEngine": [
    "service.operate",
    (id) => ({ id, url: "http://127.0.0.1:9", how: "drain" }),
    { of: "model" },
  ],
  "models/list-models.ts listModels": ["service.read", nothing],
  "models/model-names.ts addModelName": [
    "service.operate",
    (id) => ({ dialect: "systemone", name: "taken", targetId: id }),
    { of: "model" },
  ],
  "models/model-names.ts listModelNames": ["service.read", nothing],
  "models/model-names.ts removeModelName": ["service.operate", () => ({ dialect: "systemone", name: "none" })],
  "models/alias-stays.ts getStay": ["account.read", nothing],
  "models/alias-stays.ts setStay": ["account.manage", () => ({ stays: false })],
  "models/order-model.ts listModelOrders": ["service.read", nothing],
  "models/order-model.ts runModel": ["service.operate", nothing],
  "models/order-model.ts stopModel": ["service.operate", nothing],
  "models/plan-move.ts cancelMove": ["service.operate", nothing],
  "models/plan-move.ts planMove": [
    "service.operate",
    (id) => ({ id, on: "2099-12-01", noticeDays: "14" }),
    { of: "model" },
  ],
  "models/report-models.ts probeModel": ["service.operate", one, { of: "model" }],
  "models/retire-model.ts retireModel": ["service.operate", (id) => ({ id, replacementId: "" }), { of: "model" }],
  "models/set-model.ts setLimits": [
    "service.operate",
    (id) => ({ id, maxQuestions: "1", maxOptions: "2", maxLevels: "2", maxBodyBytes: "1" }),
    { of: "model" },
  ],
  "models/set-model.ts setPrice": ["service.operate", (id) => ({ id, priceUsd: "1" }), { of: "model" }],
  "outcomes/keep-outcomes.ts getOutcomeSwitch": ["account.manage", nothing],
  "outcomes/keep-outcomes.ts keepOutcomes": [
    "account.manage",
    () => ({ isOn: true }),
    { audit: ["account.keep_outcomes"] },
  ],
  "outcomes/outcome-alarms.ts endOutcomeAlarms": ["outcomes.manage", () => LATE],
  "outcomes/outcome-alarms.ts listOutcomeAlarms": ["usage.read", nothing],
  "outcomes/outcome-alarms.ts setOutcomeAlarms": ["outcomes.manage", () => LATE_ALARMS],
  "outcomes/read-outcomes.ts listOutcomeQuestions": ["usage.read", () => ({ range })],
  "outcomes/read-outcomes.ts readOutcomes": ["usage.read", () => ({ range, ...LATE })],
  "outcomes/upload-outcomes.ts uploadOutcomes": ["outcomes.manage", lateOutcome, { of: "request" }],
  "shadows/refuse-shadows.ts getTakingPart": ["account.read", nothing],
  "shadows/refuse-shadows.ts setTakingPart": [
    "account.manage",
    () => ({ takesPart: false }),
    { audit: ["account.refuse_shadows"] },
  ],
  "shadows/run-shadow.ts endShadow": ["service.operate", () => ({ aliasId: "none" })],
  "shadows/run-shadow.ts startShadow": [
    "service.operate",
    (id) => ({ aliasId: ALIAS, toId: id, share: 0.05, until: null, budgetPico: null }),
    { of: "model" },
  ],
  "shadows/shadow-report.ts findOwnShadow": ["usage.read", () => ({ aliasId: ALIAS })],
  "shadows/shadow-report.ts findShadow": ["service.read", () => ({ aliasId: ALIAS })],
  "signing/sign-record.ts signRecord": [
    "decisions.run",
    () => ({ sha256: "ab".repeat(32) }),
    { audit: ["record.sign"] },
  ],
  "signing/signing-keys.ts rotateSigningKey": ["service.operate", nothing, { audit: ["signing_key.rotate"] }],
  "usage/find-request.ts findAccountOfRequest": ["usage.read", one],
  "usage/find-request.ts findRequest": ["usage.read", one],
  "usage/find-request.ts hasRequests": ["usage.read", nothing],
  "usage/get-usage.ts getUsage": ["usage.read", () => ({ range })],
  "usage/list-daily-spend.ts listDailySpend": ["usage.read", () => ({ days: 7 })],
  "usage/list-requests.ts listRequests": ["usage.read", () => ({ range })],
  "usage/request-details.ts findDetails": ["usage.read", one],
  "usage/read-snapshot.ts readSnapshot": ["usage.read", () => async () => null],
  "usage/report-usage.ts reportUsage": ["usage.read", nothing],
  "usage/search-account.ts searchAccount": ["usage.read", nothing],
  "usage/search-account.ts searchRequests": ["usage.read", (id) => id],
  "usage/stream-requests.ts streamRequests": ["usage.read", () => ({ range })],
  "usage/sum-month.ts sumMonth": ["usage.read", nothing],
  "webhooks/deliveries.ts listDeliveries": ["webhooks.read", nothing],
  "webhooks/deliveries.ts resendDelivery": ["webhooks.manage", one, { of: "message", audit: ["webhook.resend"] }],
  "webhooks/deliveries.ts testEndpoint": ["webhooks.manage", one, { of: "endpoint", audit: ["webhook.test"] }],
  "webhooks/endpoints.ts addSlackAddress": [
    "webhooks.manage",
    () => ({ url: "https://slack.example.com/T/B/x", events: ["balance.low"] }),
    { audit: ["slack.create"] },
  ],
  "webhooks/endpoints.ts createEndpoint": [
    "webhooks.manage",
    () => ({ url: "https://taken.example.com/", events: ["balance.low"] }),
    { audit: ["webhook.create"] },
  ],
  "webhooks/endpoints.ts deleteEndpoint": ["webhooks.manage", one, { of: "endpoint", audit: ["webhook.delete"] }],
  "webhooks/endpoints.ts listEndpoints": ["webhooks.read", nothing],
  "webhooks/endpoints.ts rotateSecret": ["webhooks.manage", one, { of: "endpoint", audit: ["webhook.rotate"] }],
}

const WITHOUT_VERB: Record<string, VerbRow> = {
  "app/(console)/_components/theme/actions.ts setTheme": [null, (id) => ({ theme: id })],
  "app/(console)/models/actions.ts echoInput": [null, () => ({ model: "", state: "", questions: "" })],
}

/** Every server action that calls a verb, with the verb's row, and every other one. */
export const ACTIONS: Record<string, VerbRow> = Object.fromEntries(
  listActions().flatMap((action) => {
    const [verb] = importsOf(action).filter((name) => name in VERBS)
    const row = verb ? VERBS[verb] : WITHOUT_VERB[action]
    return row ? [[action, row]] : []
  }),
)

/** Returns the input of an action for another account's id. One that takes no id becomes the id, or gets it as a field, in vain. */
export function attempt([, input]: VerbRow, id: string): unknown {
  const given = input(id)
  if (JSON.stringify(given).includes(id)) return given
  return typeof given === "object" ? { ...given, accountId: id } : id
}

/**
 * Functions with an actor that need no role check: the actor has no account yet, is chosen for the operator, or was refused, or the verb
 * that calls the function checks the role.
 */
export const NO_VERBS = [
  "accounts/get-account.ts operatorForAccount",
  "accounts/create-account.ts createAccount",
  "auth/record-refusal.ts recordRefusal",
  "keys/change-key.ts changeLocked",
]
