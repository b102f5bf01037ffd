import type { ReactNode } from "react"
import { listBudgets } from "@/lib/server/keys/budgets"
import { listMembers } from "@/lib/server/members/list-members"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { BudgetList } from "./budget-list"

/** Renders the budgets of the actor's account. */
export async function budgetsView(actor: AccountReader): Promise<ReactNode> {
  const [budgets, members] = await Promise.all([listBudgets(runtime(), actor), listMembers(runtime(), actor)])
  return <BudgetList budgets={budgets} members={members} mayManage={hasRight(actor, "account.manage")} />
}
