import type { Metadata } from "next"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { monthOf, parseMonth, statementNumber } from "@/lib/server/billing/months"
import { formatMonth } from "@/lib/shared/format"
import { PrintButton } from "./_components/print-button"
import { MonthStatement } from "./_components/statement"

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
  return (
    <div className="print:[zoom:0.75]">
      <PageHeader
        back={<BackLink href="/billing/statements">Statements</BackLink>}
        title={`Statement, ${formatMonth(month)}`}
        action={<PrintButton />}
      >
        Number <span className="whitespace-nowrap font-mono text-xs">{statementNumber(actor.accountId, month)}</span>
      </PageHeader>
      <MonthStatement actor={actor} month={month} />
    </div>
  )
}
