import { z } from "zod"
import { listFailedEvents } from "@/lib/server/billing/failed-events"
import { listPayments } from "@/lib/server/billing/list-payments"
import { reconcilePayments, refreshTopup } from "@/lib/server/billing/payment-totals"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { endTopup, settleTopup } from "@/lib/server/billing/resolve-topup"
import type { Topup } from "@/lib/server/billing/topup"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { ServiceError } from "@/lib/shared/errors"
import { Cents, Note } from "@/lib/shared/operator/forms"
import { TopupFilter } from "@/lib/shared/operator/search"
import { Done, Id, Next, Time, Usd } from "./admin-fields"
import { admin } from "./admin-operation"
import { type Operation, PageQuery } from "./operation"

const FIELDS = {
  id: Id("top", "The top-up's public id."),
  created_at: Time("When it was started."),
  status: z.string(),
  credit_usd: Usd("What was credited; before that, what was requested."),
  paid_usd: Usd("The payment, including tax; null until it is paid.").nullable(),
  refunded_usd: Usd("The credit that was debited for refunds."),
  disputed_usd: Usd("The credit that was debited for disputes."),
}
const TopupView = z.strictObject(FIELDS)

const viewOf = (topup: Topup): z.input<typeof TopupView> => ({
  id: topup.id,
  created_at: topup.at,
  status: topup.status,
  credit_usd: topup.creditUsd,
  paid_usd: topup.paidUsd,
  refunded_usd: topup.refundedUsd,
  disputed_usd: topup.disputedUsd,
})

const READS = { tag: "Payments", right: "service.read", method: "GET" } as const
/** These verbs fetch from Stripe, or request that, and so commit by themselves. */
const CHANGES = { tag: "Payments", right: "service.finance", method: "POST", isJoined: false } as const
const ONE = "/topups/{topup}"
const amount = Cents.meta({ description: "USD in whole cents, such as `5` or `0.50`." })
const note = Note.meta({ description: "The reason." })

/** Returns the UUID of an account by its public id; null for none. Throws `not_found`. */
export function accountIdOf(id: string | null): string | null {
  if (id === null) return null
  return parsePublicId("acc", id) ?? refuseAccount()
}

function refuseAccount(): never {
  throw new ServiceError("not_found", { message: "There is no such account." })
}

const READ: readonly Operation<OperatorActor>[] = [
  admin({
    ...READS,
    id: "listTopups",
    path: "/topups",
    summary: "List top-ups",
    description: "Returns the top-ups of all accounts or of one, newest first.",
    verbs: ["billing/list-payments.ts listPayments"],
    Query: PageQuery.extend({
      account: z.string().max(40).nullable().default(null).meta({ description: "Only those of this account." }),
      status: TopupFilter.default("all"),
    }),
    Result: z.strictObject({ data: z.array(z.strictObject({ ...FIELDS, account_id: z.string() })), next: Next }),
    run: async ({ runtime, actor, query: { account, status: show, ...page } }) => {
      const found = await listPayments(runtime, actor, { ...page, show, accountId: accountIdOf(account) })
      const data = found.payments.map((payment) => ({ ...viewOf(payment), account_id: payment.account.id }))
      return { data, next: found.next }
    },
  }),
  admin({
    ...READS,
    id: "listFailedEvents",
    path: "/topups/failed-events",
    summary: "List Stripe events that could not be settled",
    verbs: ["billing/failed-events.ts listFailedEvents"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: z.string(),
          type: z.string(),
          failed_at: Time("When it failed."),
          attempts: z.int(),
          next_at: Time("When it is tried again; null when it was given up.").nullable(),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listFailedEvents(runtime, actor)).map(({ id, type, failedAt, attempts, nextAt }) => ({
        id,
        type,
        failed_at: failedAt,
        attempts,
        next_at: nextAt,
      })),
    }),
  }),
]

const CHANGE: readonly Operation<OperatorActor>[] = [
  admin({
    ...CHANGES,
    id: "refundTopup",
    path: `${ONE}/refund`,
    summary: "Refund a top-up",
    description: "Refunds a payment through Stripe and debits its credit. Without an amount, everything that is left.",
    verbs: ["billing/refund-topup.ts refundTopup"],
    Body: z.strictObject({ amount_usd: amount.nullable().default(null), note }),
    Result: TopupView,
    run: async ({ runtime, actor, ids: { topup: id = "" }, body }) =>
      viewOf(await refundTopup(runtime, actor, { id, amountCents: body.amount_usd, note: body.note })),
  }),
  admin({
    ...CHANGES,
    id: "settleTopup",
    path: `${ONE}/settle`,
    summary: "Settle a checkout that needs attention",
    verbs: ["billing/resolve-topup.ts settleTopup"],
    Body: z.strictObject({ amount_usd: amount, note }),
    Result: Done,
    run: async ({ runtime, actor, ids: { topup: id = "" }, body }) => {
      await settleTopup(runtime, actor, { id, amountCents: body.amount_usd, note: body.note })
      return { id }
    },
  }),
  admin({
    ...CHANGES,
    id: "endTopup",
    path: `${ONE}/end`,
    summary: "End a checkout that needs attention without credit",
    verbs: ["billing/resolve-topup.ts endTopup"],
    Body: z.strictObject({ note }),
    Result: Done,
    run: async ({ runtime, actor, ids: { topup: id = "" }, body }) => {
      await endTopup(runtime, actor, { id, note: body.note })
      return { id }
    },
  }),
  admin({
    ...CHANGES,
    id: "refreshTopup",
    path: `${ONE}/refresh`,
    summary: "Check a top-up with Stripe",
    verbs: ["billing/payment-totals.ts refreshTopup"],
    Result: Done,
    run: async ({ runtime, actor, ids: { topup: id = "" } }) => {
      await refreshTopup(runtime, actor, { id })
      return { id }
    },
  }),
  admin({
    ...CHANGES,
    id: "reconcilePayments",
    path: "/topups/reconcile",
    summary: "Check all payments with Stripe",
    verbs: ["billing/payment-totals.ts reconcilePayments"],
    Result: z.strictObject({ checked: z.int() }),
    run: async ({ runtime, actor }) => reconcilePayments(runtime, actor),
  }),
]

/** The payments of accounts in the admin API. */
export const PAYMENT_OPERATIONS: readonly Operation<OperatorActor>[] = [...READ, ...CHANGE]
