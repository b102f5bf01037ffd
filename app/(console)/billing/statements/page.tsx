import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { statementsView } from "./_components/statements-view"

export const metadata: Metadata = { title: "Statements" }

export default async function StatementsPage() {
  return statementsView(await requireSession("/billing/statements"))
}
