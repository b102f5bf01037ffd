import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { statementView } from "./_components/statement-view"

/** The name of the file that a browser saves when it prints as PDF. */
export async function generateMetadata({ searchParams }: PageProps<"/billing/statement">): Promise<Metadata> {
  const month = parseMonth((await searchParams).month) ?? monthOf(new Date())
  return { title: `Statement ${month}` }
}

/** Shows the statement of a month, to read or print. An invalid month shows the current one. */
export default async function StatementPage({ searchParams }: PageProps<"/billing/statement">) {
  const query = await searchParams
  const month = parseMonth(query.month) ?? monthOf(new Date())
  const actor = await requireSession("/billing/statement", `/billing/statement?month=${month}`, query.account)
  return statementView(actor, month)
}
