"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { reconcilePayments, refreshTopup } from "@/lib/server/billing/payment-totals"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { endTopup, settleTopup } from "@/lib/server/billing/resolve-topup"
import { EndTopupForm, Nothing, OneTopup, RefundForm, SettleTopupForm } from "@/lib/shared/operator/forms"

export const refundTopupAction = operatorAction(RefundForm, async (runtime, operator, { id, amountUsd, note }) => {
  await refundTopup(runtime, operator, { id, amountCents: amountUsd, note })
})

export const refreshTopupAction = operatorAction(OneTopup, refreshTopup)

export const settleTopupAction = operatorAction(SettleTopupForm, async (runtime, operator, { id, amountUsd, note }) => {
  await settleTopup(runtime, operator, { id, amountCents: amountUsd, note })
})

export const endTopupAction = operatorAction(EndTopupForm, endTopup)

export const reconcilePaymentsAction = operatorAction(Nothing, reconcilePayments)
