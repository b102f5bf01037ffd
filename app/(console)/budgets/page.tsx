import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { listBudgets } from "@/lib/server/keys/budgets"
import { listMembers } from "@/lib/server/members/list-members"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { BudgetList } from "./_components/budget-list"

export const metadata: Metadata = { title: "Budgets" }

export default async function BudgetsPage() {
  const actor = await requireSession("/budgets")
  const [budgets, members] = await Promise.all([listBudgets(runtime(), actor), listMembers(runtime(), actor)])
  return <BudgetList budgets={budgets} members={members} mayManage={hasRight(actor, "account.manage")} />
}
