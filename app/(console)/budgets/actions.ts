"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { removeBudget, setBudget } from "@/lib/server/keys/budgets"
import { RemoveBudgetInput, SetBudgetInput } from "@/lib/shared/keys/budget-inputs"

export const setBudgetAction = userAction(SetBudgetInput, setBudget)
export const removeBudgetAction = userAction(RemoveBudgetInput, removeBudget)
