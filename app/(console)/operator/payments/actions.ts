"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { reconcilePayments, refreshTopup } from "@/lib/server/billing/payment-totals"
import { refundTopup } from "@/lib/server/billing/refund-topup"
import { Nothing, OneTopup, RefundForm } from "@/lib/shared/operator/forms"

export const refundTopupAction = operatorAction(RefundForm, async (runtime, operator, { id, amountUsd, note }) => {
  await refundTopup(runtime, operator, { id, amountCents: amountUsd, note })
})

export const refreshTopupAction = operatorAction(OneTopup, refreshTopup)

export const reconcilePaymentsAction = operatorAction(Nothing, reconcilePayments)
