"use server"
import { creditAccounts } from "@/lib/server/accounts/credit-accounts"
import { operatorAction } from "@/lib/server/auth/user-action"
import { usd12 } from "@/lib/shared/money"
import { CreditLinesForm } from "@/lib/shared/operator/forms"

export const creditAccountsAction = operatorAction(CreditLinesForm, async (runtime, operator, { lines }) => {
  const { credited, creditedPico, repeated } = await creditAccounts(runtime, operator, {
    lines: lines.map(({ amountUsd, ...line }) => ({ ...line, amountPico: amountUsd })),
  })
  return { credited, creditedUsd: usd12(creditedPico), repeated }
})
