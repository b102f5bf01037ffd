"use server"
import { operatorForAccount } from "@/lib/server/accounts/get-account"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { operatorAction } from "@/lib/server/auth/user-action"
import { adjustBalance } from "@/lib/server/ledger/adjust-balance"
import { AccountRatesForm, AccountStatusForm, AdjustBalanceForm } from "@/lib/shared/operator/forms"

export const adjustBalanceAction = operatorAction(
  AdjustBalanceForm,
  async (runtime, operator, { accountId, amountUsd, ...input }) =>
    adjustBalance(runtime, await operatorForAccount(runtime, operator, accountId), {
      ...input,
      amountPico: amountUsd,
    }),
)

export const setAccountRatesAction = operatorAction(
  AccountRatesForm,
  async (runtime, operator, { accountId, ...rates }) =>
    setAccountRates(runtime, await operatorForAccount(runtime, operator, accountId), rates),
)

export const setAccountStatusAction = operatorAction(
  AccountStatusForm,
  async (runtime, operator, { accountId, status }) =>
    setAccountStatus(runtime, await operatorForAccount(runtime, operator, accountId), status),
)
