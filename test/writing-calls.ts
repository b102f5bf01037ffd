import { setAllowance } from "@/lib/server/accounts/allowance-rules"
import { createOperatorToken } from "@/lib/server/accounts/operator-tokens"
import type { AuditAction } from "@/lib/server/audit/actions"
import { requestEmailChange } from "@/lib/server/auth/change-email"
import { inviteOperator } from "@/lib/server/auth/operators"
import { createKey } from "@/lib/server/keys/create-key"
import { planMove } from "@/lib/server/models/plan-move"
import { OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import type { CreateOperatorTokenInput } from "@/lib/shared/operator/tokens"
import { automatic, enterCard, TERMS } from "./auto-topup-fixture"
import { query } from "./closing-fixture"
import type { StripeDouble } from "./doubles/stripe/stripe-double"
import {
  doubtfulTopup,
  endpoint,
  invited,
  KEY,
  keeping,
  key,
  MODEL,
  model,
  PREPARE,
  type Prepared,
  paidTopup,
  pausedKey,
  replacedKey,
  session,
  team,
  watching,
} from "./own-objects"
import { newPasskey, signedConfirmation } from "./passkeys"
import { newOwner } from "./topup-fixture"
import { LATE, LATE_ALARMS, lateOutcome, VERBS, type VerbRow } from "./verb-register"

/** Prepares a call of a verb. Returns its arguments after the runtime: first the actor. */
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

/** The arguments of a verb that acts for a person. */
const forPerson = ({ email }: UserActor) => [OPERATOR, { email, note: "By letter" }]

const ALLOWANCE = { target: "set.example", per: "account" as const, amountPico: pico(1n), carriesOver: false }

const OPERATOR_TOKEN: CreateOperatorTokenInput = { name: "Deploy", rights: ["service.operate"], expiresAt: null }

const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)

/** Verbs that need more than an id and the input of the register: the entries in alphabetical order, and the arguments. */
const particularOf = (double: StripeDouble): Record<string, [AuditAction[], Call]> => ({
  "accounts/allowance-rules.ts endAllowance": [
    ["allowance.end"],
    async () => [OPERATOR, await setAllowance(runtime(), OPERATOR, { ...ALLOWANCE, target: "ended.example" })],
  ],
  "accounts/allowance-rules.ts setAllowance": [["allowance.set"], async () => [OPERATOR, ALLOWANCE]],
  "accounts/operator-tokens.ts revokeOperatorToken": [
    ["operator_token.revoke"],
    async () => [OPERATOR, await createOperatorToken(runtime(), OPERATOR, OPERATOR_TOKEN)],
  ],
  "accounts/credit-accounts.ts creditAccounts": [
    ["account.credit"],
    async () => {
      const { accountId } = await newOwner()
      const line = { line: 2, account: publicId("acc", accountId), amountPico: pico(1n), reference: "r", note: "Gift" }
      return [OPERATOR, { lines: [line] }]
    },
  ],
  "accounts/set-account-rates.ts setAccountRates": [["account.limits"], asOperator({ perSecond: 1, perKey: 1 })],
  "audit/look-at-account.ts lookAtAccount": [
    ["account.look"],
    async () => [OPERATOR, { id: publicId("acc", (await newOwner()).accountId), page: "/usage" }],
  ],
  "auth/account-status.ts setAccountStatus": [["account.suspend"], asOperator("suspended")],
  "auth/change-email.ts requestEmailChange": [["user.email_ask"], asOwner({ email: "asked@example.com" })],
  "auth/change-email.ts cancelEmailChange": [
    ["user.email_cancel"],
    after((owner) => requestEmailChange(runtime(), owner, { email: "cancelled@example.com" })),
  ],
  "auth/passkeys/add-passkey.ts addPasskey": [["passkey.add"], async () => newPasskey(await newOwner())],
  "auth/passkeys/confirm-by-passkey.ts confirmByPasskey": [
    ["session.confirm_passkey"],
    async () => signedConfirmation((await session())[0]),
  ],
  "auth/operators.ts removeOperator": [
    ["operator.remove"],
    async () => [
      OPERATOR,
      await inviteOperator(runtime(), OPERATOR, { email: "removed@example.com", role: "support" }),
    ],
  ],
  "auth/sessions.ts endAllSessions": [["session.end"], async () => [(await session())[0]]],
  "billing/auto-topup.ts turnOffAutoTopup": [["auto_topup.off"], async () => [await automatic(double)]],
  "billing/auto-topup.ts turnOnAutoTopup": [["auto_topup.on"], after((owner) => enterCard(double, owner), TERMS)],
  "billing/payment-totals.ts refreshTopup": [["topup.refresh"], withId(() => paidTopup(double))],
  "billing/refund-topup.ts refundTopup": [
    ["topup.adjust", "topup.refund"],
    withId(() => paidTopup(double), { amountCents: null, note: "By request" }),
  ],
  "billing/resolve-topup.ts endTopup": [["topup.end"], withId(() => doubtfulTopup(double), { note: "Refunded" })],
  "billing/resolve-topup.ts settleTopup": [
    ["topup.settle"],
    withId(() => doubtfulTopup(double), { amountCents: 500, note: "Paid in euros" }),
  ],
  "billing/saved-card.ts removeCard": [["card.remove"], async () => [await automatic(double)]],
  "billing/start-topup.ts startTopup": [
    ["topup.start"],
    async () => [await newOwner(), { attempt: newId(), amountUsd: "5", saveCard: false }],
  ],
  "closing/act-for-person.ts endPersonSessions": [
    ["person.end_sessions", "session.end"],
    async () => forPerson((await team()).developer),
  ],
  "closing/act-for-person.ts erasePerson": [
    ["account.close", "member.remove", "person.erase", "session.end"],
    async () => forPerson((await team()).developer),
  ],
  "closing/act-for-person.ts removePerson": [
    ["member.remove", "person.remove", "session.end"],
    async () => forPerson((await team()).developer),
  ],
  "closing/export-person.ts exportPerson": [["person.export"], async () => forPerson((await team()).developer)],
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
  "accounts/alerts.ts saveAlerts": [
    ["webhook.events"],
    async () => {
      const [owner, id] = await endpoint()
      return [owner, { muted: [], endpoints: [{ id, events: [] }] }]
    },
  ],
  "closing/export-account.ts streamExport": [["account.export"], asOwner()],
  "decisions/record-examples.ts recordExamples": [
    ["model.record"],
    async () => [OPERATOR, { id: "svc-lexical-baseline-1" }],
  ],
  "keys/change-key.ts resumeKey": [["key.resume"], withId(pausedKey)],
  "keys/replace-key.ts endOldSecret": [["key.end_secret"], withId(replacedKey)],
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
  "outcomes/outcome-alarms.ts endOutcomeAlarms": [["outcomes.end_alarms"], async () => [await watching(), LATE]],
  "outcomes/outcome-alarms.ts setOutcomeAlarms": [["outcomes.set_alarms"], async () => [await keeping(), LATE_ALARMS]],
  "outcomes/upload-outcomes.ts uploadOutcomes": [
    ["outcomes.upload"],
    async () => {
      const [owner, id] = await PREPARE.request()
      return [owner, lateOutcome(id)]
    },
  ],
  "shadows/run-shadow.ts endShadow": [
    ["model.shadow"],
    async () => {
      await query("INSERT INTO shadow (id, alias_id, from_id, to_id, share) VALUES ($1, $2, $2, $3, 0.5)", [
        newId(),
        ALIAS,
        (await model())[1],
      ])
      return [OPERATOR, { aliasId: ALIAS }]
    },
  ],
  "shadows/run-shadow.ts startShadow": [
    ["model.shadow"],
    async () => [OPERATOR, { aliasId: ALIAS, toId: (await model())[1], share: 0.05, until: null, budgetPico: null }],
  ],
  "models/alias-stays.ts setStay": [
    ["account.keep_model"],
    async () => {
      await query("INSERT INTO alias_move (alias_id, from_id, to_id) VALUES ($1, 'svc-lexical-baseline-1', $2)", [
        ALIAS,
        (await model())[1],
      ])
      return [await newOwner(), { stays: true }]
    },
  ],
  "models/add-cascade.ts addCascade": [
    ["model.add"],
    async () => {
      const parts = { smallId: "svc-lexical-baseline-1", bigId: (await model())[1] }
      return [OPERATOR, { id: "audited-cascade", ...parts, below: 0.9, pricePico: pico(1n) }]
    },
  ],
  "models/add-model.ts addModel": [["model.add"], async () => [OPERATOR, { ...MODEL, id: "audited-1" }]],
  "models/order-model.ts runModel": [
    ["model.run"],
    async () => [OPERATOR, { model: "hf:owner/audited", acceptsLicense: false }],
  ],
  "models/order-model.ts stopModel": [
    ["model.stop"],
    async () => {
      const source = "hf:owner/stopped"
      await query("INSERT INTO model_order (id, source) VALUES ($1, $2)", [newId(), source])
      return [OPERATOR, { model: source }]
    },
  ],
  "models/plan-move.ts cancelMove": [
    ["model.plan"],
    async () => {
      await planMove(runtime(), OPERATOR, { toId: (await model())[1], on: inTenDays, noticeDays: 1 })
      return [OPERATOR]
    },
  ],
  "models/plan-move.ts planMove": [
    ["model.plan"],
    async () => [OPERATOR, { toId: (await model())[1], on: inTenDays, noticeDays: 1 }],
  ],
  "models/alias.ts moveAlias": [["model.alias"], async () => [OPERATOR, { toId: (await model())[1] }]],
  "models/change-engine.ts changeEngine": [
    ["model.engine"],
    async () => {
      const [actor, id] = await model()
      const url = "http://127.0.0.1:10"
      await query("INSERT INTO model_address (model_id, url) VALUES ($1, $2)", [id, url])
      return [actor, { id, url, how: "drain" }]
    },
  ],
  "models/model-names.ts addModelName": [
    ["model.name"],
    async () => [OPERATOR, { dialect: "systemone", name: "audited-name", targetId: (await model())[1] }],
  ],
  "models/model-names.ts removeModelName": [
    ["model.name"],
    async () => {
      const [actor, targetId] = await model()
      await query("INSERT INTO model_name (dialect, name, target_id) VALUES ('systemone', 'audited-gone', $1)", [
        targetId,
      ])
      return [actor, { dialect: "systemone", name: "audited-gone" }]
    },
  ],
  "models/retire-model.ts retireModel": [["model.retire"], withId(model, { replacementId: null })],
  "models/set-model.ts setLimits": [["model.limits"], withId(model, { maxQuestions: 3 })],
  "models/set-model.ts setPrice": [["model.price"], withId(model, { pricePico: 2n })],
})

/** Calls a verb with the input of the register. */
const asRegistered =
  ([right, input, { of } = {}]: VerbRow): Call =>
  async () => {
    const [actor, id] = (await (of && PREPARE[of]())) ?? [
      right?.startsWith("service.") ? OPERATOR : await newOwner(),
      "",
    ]
    return [actor, input(id)]
  }

/** Returns a call of every verb that writes, which succeeds, with the entries that it leaves in the audit log. */
export const writingCalls = (double: StripeDouble): [string, [AuditAction[], Call]][] => [
  ...Object.entries(particularOf(double)),
  ...Object.entries(VERBS).flatMap(([verb, row]): [string, [AuditAction[], Call]][] =>
    row[2]?.audit ? [[verb, [row[2].audit, asRegistered(row)]]] : [],
  ),
]
