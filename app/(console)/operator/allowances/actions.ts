"use server"
import { endAllowance, setAllowance } from "@/lib/server/accounts/allowance-rules"
import { operatorAction } from "@/lib/server/auth/user-action"
import { OneAllowance, SetAllowanceForm } from "@/lib/shared/operator/allowances"

export const setAllowanceAction = operatorAction(SetAllowanceForm, (runtime, operator, { amountUsd, ...input }) =>
  setAllowance(runtime, operator, { ...input, amountPico: amountUsd }),
)
export const endAllowanceAction = operatorAction(OneAllowance, endAllowance)
