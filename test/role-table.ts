import { randomUUID } from "node:crypto"

/** The initials of the roles that may do something: owner, developer, billing member, viewer. */
export type Allowed = "" | "o" | "od" | "ob" | "obv" | "odv" | "odbv"

const range = { days: 7 }
const month = "2026-11"
const key = { name: "New", limit: { amountUsd: "1", period: "daily" }, expiresAt: null }

/** Every verb: the roles that may call it, and arguments after the actor. `id` is a key of the account. */
export const VERBS: Record<string, [Allowed, (id: string) => unknown[]]> = {
  "accounts/account-totals.ts getAccountTotals": ["", () => []],
  "accounts/account-tokens.ts createAccountToken": ["o", () => [{ name: "Dashboard" }]],
  "accounts/account-tokens.ts listAccountTokens": ["o", () => []],
  "accounts/account-tokens.ts revokeAccountToken": ["o", (id) => [{ id }]],
  "accounts/account-name.ts listOwnAccounts": ["odbv", () => []],
  "accounts/account-name.ts renameAccount": ["o", () => [{ name: "Acme" }]],
  "accounts/first-steps.ts getFirstSteps": ["odbv", () => []],
  "accounts/first-steps.ts markFirstSteps": ["odbv", () => ["hidden"]],
  "accounts/get-account.ts getAccount": ["odbv", () => []],
  "accounts/get-account.ts getAccountOverview": ["", () => []],
  "accounts/mail-settings.ts muteMail": ["odbv", () => [{ muted: [] }]],
  "accounts/mail-settings.ts readMailSettings": ["odbv", () => []],
  "accounts/mail-settings.ts warnAt": ["ob", () => [{ amountUsd: "" }]],
  "accounts/list-accounts.ts listAccounts": ["", () => [{ limit: 1, after: null }]],
  "accounts/report-account.ts reportAccount": ["odbv", () => []],
  "accounts/set-account-rates.ts setAccountRates": ["", () => [{ perSecond: 1, perKey: 1 }]],
  "audit/list-audit.ts listAudit": ["odv", () => []],
  "audit/list-service-audit.ts listServiceAudit": ["", () => []],
  "auth/account-status.ts setAccountStatus": ["", () => ["suspended"]],
  "auth/confirmation.ts requestConfirmation": ["odbv", () => [{ returnTo: "/keys" }]],
  "auth/sessions.ts endAllSessions": ["odbv", () => []],
  "auth/sessions.ts endOwnSession": ["odbv", (id) => [{ id }]],
  "auth/sessions.ts listSessions": ["odbv", () => []],
  "auth/switch-account.ts switchAccount": ["odbv", (id) => [id]],
  "billing/balance.ts explainDebt": ["obv", () => ["-1"]],
  "billing/balance.ts getBalance": ["odbv", () => []],
  "billing/check-topup.ts checkReturn": ["obv", () => ["cs_test_1"]],
  "billing/check-topup.ts checkTopup": ["obv", (id) => [{ id }]],
  "billing/entries.ts listEntries": ["obv", () => []],
  "billing/export-ledger.ts streamLedger": ["obv", () => [month]],
  "billing/get-statement.ts getStatement": ["obv", () => [month]],
  "billing/list-payments.ts listPayments": ["", () => [{}]],
  "billing/months.ts listMonths": ["obv", () => []],
  "billing/payment-totals.ts getPaymentTotals": ["", () => []],
  "billing/payment-totals.ts reconcilePayments": ["", () => []],
  "billing/payment-totals.ts refreshTopup": ["", (id) => [{ id }]],
  "billing/refund-topup.ts refundTopup": ["", (id) => [{ id, amountUsd: null, note: "Taken" }]],
  "billing/start-topup.ts startTopup": ["ob", () => [{ attempt: randomUUID(), amountUsd: "5" }]],
  "billing/topup.ts listTopups": ["obv", () => []],
  "health/get-health.ts getHealth": ["", () => []],
  "keys/change-key.ts changeKey": ["od", (id) => [{ id, name: "New", note: "" }]],
  "keys/change-key.ts pauseKey": ["od", (id) => [{ id }]],
  "keys/change-key.ts resumeKey": ["od", (id) => [{ id }]],
  "keys/create-key.ts createKey": ["od", () => [key]],
  "keys/read-keys.ts findKey": ["odbv", (id) => [id]],
  "keys/read-keys.ts listKeys": ["odbv", () => []],
  "keys/read-keys.ts sampleSpend": ["odbv", () => []],
  "keys/revoke-key.ts revokeKey": ["od", (id) => [{ id }]],
  "keys/revoke-key.ts revokeKeys": ["od", (id) => [{ ids: [id] }]],
  "ledger/adjust-balance.ts adjustBalance": ["", () => [{ kind: "credit", amountUsd: "1", note: "Taken" }]],
  "ledger/ledger-checks.ts listLedgerChecks": ["", () => []],
  "ledger/ledger-checks.ts requestLedgerCheck": ["", () => []],
  "members/accept-invitation.ts acceptInvitation": ["odbv", (id) => [{ id }]],
  "members/accept-invitation.ts findInvitation": ["odbv", (id) => [id]],
  "members/change-members.ts changeRole": ["o", (id) => [{ id, role: "owner" }]],
  "members/change-members.ts leaveAccount": ["odbv", () => []],
  "members/change-members.ts removeMember": ["o", (id) => [{ id }]],
  "members/change-members.ts transferOwnership": ["o", (id) => [{ id }]],
  "members/invitations.ts inviteMember": ["o", () => [{ email: "new@example.com", role: "viewer" }]],
  "members/invitations.ts resendInvitation": ["o", (id) => [{ id }]],
  "members/invitations.ts revokeInvitation": ["o", (id) => [{ id }]],
  "members/list-members.ts listInvitations": ["o", () => []],
  "members/list-members.ts listLeftKeys": ["o", () => []],
  "members/list-members.ts listMembers": ["odbv", () => []],
  "models/add-model.ts addModel": ["", () => [{}]],
  "models/alias-use.ts listAliasAccounts": ["", () => [{}]],
  "models/alias.ts moveAlias": ["", () => [{}]],
  "models/list-models.ts listModels": ["", () => []],
  "models/report-models.ts probeModel": ["", (id) => [id]],
  "models/retire-model.ts retireModel": ["", () => [{}]],
  "models/set-model.ts setLimits": ["", () => [{}]],
  "models/set-model.ts setPrice": ["", () => [{}]],
  "usage/find-request.ts findRequest": ["odbv", (id) => [{ id }]],
  "usage/get-usage.ts getUsage": ["odbv", () => [{ range }]],
  "usage/list-daily-spend.ts listDailySpend": ["odbv", () => [{ days: 7 }]],
  "usage/list-requests.ts listRequests": ["odbv", () => [{ range }]],
  "usage/list-requests.ts readRequests": ["odbv", () => [{ range }, 1]],
  "usage/read-snapshot.ts readSnapshot": ["odbv", () => [async () => null]],
  "usage/report-usage.ts reportUsage": ["odbv", () => [{}]],
  "usage/search-account.ts searchAccount": ["odbv", () => []],
  "usage/search-account.ts searchRequests": ["odbv", (id) => [id]],
  "usage/stream-requests.ts streamRequests": ["odbv", () => [{ range }]],
  "usage/sum-month.ts sumMonth": ["odbv", () => []],
}

/** Functions of an actor that are no verbs: they decide about rights or build statements, and read nothing. */
export const NO_VERBS = [
  "accounts/get-account.ts operatorForAccount",
  "accounts/create-account.ts createAccount",
  "auth/operator.ts isOperator",
  "platform/actor.ts hasRight",
  "platform/actor.ts isConfirmed",
  "platform/actor.ts requireConfirmed",
  "platform/actor.ts requireRight",
  "usage/spent.ts levelValues",
  "usage/spent.ts spentValues",
]

/** Every server action that needs an account: the roles that may use it, and valid input. */
export const ACTION_ROLES: Record<string, [Allowed, (id: string) => unknown]> = {
  "app/(console)/_components/confirm/actions.ts requestConfirmationAction": ["odbv", () => ({ returnTo: "/keys" })],
  "app/(console)/_components/first-steps/actions.ts markFirstStepsAction": ["odbv", () => "hidden"],
  "app/(console)/billing/actions.ts checkTopupAction": ["obv", (id) => ({ id })],
  "app/(console)/billing/actions.ts startTopupAction": ["ob", () => ({ attempt: randomUUID(), amountUsd: "5" })],
  "app/(console)/keys/actions.ts createKeyAction": ["od", () => key],
  "app/(console)/keys/actions.ts changeKeyAction": ["od", (id) => ({ id, name: "Renamed", note: "" })],
  "app/(console)/keys/actions.ts pauseKeyAction": ["od", (id) => ({ id })],
  "app/(console)/keys/actions.ts resumeKeyAction": ["od", (id) => ({ id })],
  "app/(console)/keys/actions.ts revokeKeysAction": ["od", (id) => ({ ids: [id] })],
  "app/(console)/members/actions.ts changeRoleAction": ["o", (id) => ({ id, role: "owner" })],
  "app/(console)/members/actions.ts inviteMemberAction": ["o", () => ({ email: "new@example.com", role: "viewer" })],
  "app/(console)/members/actions.ts removeMemberAction": ["o", (id) => ({ id })],
  "app/(console)/members/actions.ts resendInvitationAction": ["o", (id) => ({ id })],
  "app/(console)/members/actions.ts revokeInvitationAction": ["o", (id) => ({ id })],
  "app/(console)/members/actions.ts transferOwnershipAction": ["o", (id) => ({ id })],
  "app/(console)/settings/actions.ts createTokenAction": ["o", () => ({ name: "Dashboard" })],
  "app/(console)/settings/actions.ts muteMailAction": ["odbv", () => ({ muted: [] })],
  "app/(console)/settings/actions.ts revokeTokenAction": ["o", (id) => ({ id })],
  "app/(console)/settings/actions.ts warnAtAction": ["ob", () => ({ amountUsd: "" })],
  "app/(console)/settings/actions.ts endSessionAction": ["odbv", (id) => ({ id })],
  "app/(console)/settings/actions.ts leaveAccountAction": ["odbv", () => ({})],
  "app/(console)/settings/actions.ts renameAccountAction": ["o", () => ({ name: "Acme" })],
}

/** Actions without an account, whatever the role. */
export const ACTIONS_WITHOUT_ROLE = [
  "app/(console)/join/[id]/actions.ts acceptInvitationAction",
  "app/(console)/models/actions.ts echoInput",
  "app/(console)/settings/actions.ts setTheme",
]

/** What the roles without access get at a page: 403, or where the page leads. Pages that are not named are for every role. */
export const PAGE_ROLES: Record<string, [Allowed, "403" | "redirect"]> = {
  "/billing/statement": ["obv", "403"],
  "/billing/top-up/return": ["obv", "403"],
  "/evaluate": ["od", "403"],
  "/playground": ["od", "redirect"],
  "/settings/audit": ["odv", "403"],
}

/** The roles that each route handler with a session serves. Others get 403. */
export const HANDLER_ROLES: Record<string, Allowed> = {
  "GET /billing/ledger.csv": "obv",
  "GET /confirmation": "odbv",
  "GET /first-steps": "odbv",
  "GET /search": "odbv",
  "GET /usage/requests.csv": "odbv",
  "POST /playground/decisions": "od",
  "POST /playground/tokens": "od",
}

/** Handlers that read no session, or only end one. */
export const HANDLERS_WITHOUT_ROLE = [
  "GET /api/account",
  "GET /api/auth/[...nextauth]",
  "GET /api/openapi.json",
  "GET /api/usage",
  "GET /docs-source/[slug]",
  "GET /docs/search.json",
  "GET /healthz",
  "GET /llms-full.txt",
  "GET /llms.txt",
  "GET /logo/[file]",
  "GET /metrics",
  "GET /openapi.json",
  "GET /readyz",
  "GET /status.json",
  "GET /v1/models",
  "POST /api/auth/[...nextauth]",
  "POST /api/stripe/webhook",
  "POST /v1/decisions",
  "POST /v1/systemone",
]
