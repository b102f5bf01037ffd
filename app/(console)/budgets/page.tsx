import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { budgetsView } from "./_components/budgets-view"

export const metadata: Metadata = { title: "Budgets" }

export default async function BudgetsPage() {
  return budgetsView(await requireSession("/budgets"))
}
