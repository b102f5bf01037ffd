import type { Metadata } from "next"
import { Suspense } from "react"
import { Alert } from "@/components/ui/alert"
import { BackLink } from "@/components/ui/back-link"
import { buttonClass } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonTable } from "@/components/ui/skeleton-table"
import { requireSession } from "@/lib/server/auth/session"
import { getStatement } from "@/lib/server/billing/get-statement"
import { listMonths } from "@/lib/server/billing/list-months"
import { monthOf, parseMonth } from "@/lib/server/billing/month"
import { publicId } from "@/lib/server/platform/ids"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { formatExactTime, formatMonth } from "@/lib/shared/format"
import { PrintButton } from "./_components/print-button"
import { StatementLines } from "./_components/statement-lines"
import { StatementSummary } from "./_components/statement-summary"

export const metadata: Metadata = { title: "Statement" }

interface StatementPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A month on paper. A month that is none shows the present one. */
export default async function StatementPage({ searchParams }: StatementPageProps) {
  const month = parseMonth((await searchParams).month) ?? monthOf(new Date())
  const actor = await requireSession(`/billing/statement?month=${month}`)
  if (actor.role !== "owner")
    return (
      <>
        <PageHeader title="Statement">What an account began and ended a month with.</PageHeader>
        <Alert title="Statements are for owners">Ask an owner of this account for one.</Alert>
      </>
    )
  return (
    <>
      <PageHeader
        back={<BackLink href="/billing">Billing</BackLink>}
        title={`Statement, ${formatMonth(month)}`}
        action={<PrintButton />}
      >
        {actor.email}, account{" "}
        <span className="whitespace-nowrap font-mono text-xs">{publicId("acc", actor.accountId)}</span>
      </PageHeader>
      <Suspense key={month} fallback={<SkeletonTable label="The statement is loading" columns={4} rows={8} />}>
        <MonthStatement actor={actor} month={month} />
      </Suspense>
    </>
  )
}

async function MonthStatement({ actor, month }: { actor: UserActor; month: string }) {
  const [statement, months] = await Promise.all([getStatement(actor, month), listMonths(actor)])
  const around = months.indexOf(month)
  const [newer, older] = around === -1 ? [] : [months[around - 1], months[around + 1]]
  return (
    <div className="flex flex-col gap-8">
      <StatementSummary statement={statement} />
      <StatementLines statement={statement} />
      <p className="text-ink-muted text-sm">
        From {statement.issuer}, as of {formatExactTime(new Date(statement.asOf))}. Days and months are UTC. Decisions
        are summed by day and key; the CSV file has each.
      </p>
      <nav aria-label="Other months" className="flex flex-wrap gap-2 print:hidden">
        {older ? <MonthLink month={older} /> : null}
        {newer ? <MonthLink month={newer} /> : null}
        <a href={`/billing/ledger.csv?month=${month}`} download className={buttonClass("secondary", "sm")}>
          Download CSV
        </a>
      </nav>
    </div>
  )
}

const MonthLink = ({ month }: { month: string }) => (
  <LinkButton href={`/billing/statement?month=${month}`} variant="secondary" size="sm">
    {formatMonth(month)}
  </LinkButton>
)
