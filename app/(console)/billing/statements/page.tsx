import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { downloadPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { listStatements, type StatementLine } from "@/lib/server/billing/list-statements"
import { runtime } from "@/lib/server/platform/runtime"
import { formatMonth } from "@/lib/shared/format"

export const metadata: Metadata = { title: "Statements" }

const columnsFor = (accountId: string): readonly Column<StatementLine>[] => [
  {
    head: "Month (UTC)",
    phone: "title",
    cell: ({ month }) => (
      <TextLink alone href={`/billing/statement?month=${month}`}>
        {formatMonth(month)}
      </TextLink>
    ),
  },
  { head: "Number", wideOnly: true, cell: ({ number }) => <span className="font-mono text-xs">{number}</span> },
  { head: "Decisions", phone: "line", phoneLabel: true, as: "exact", usd: ({ chargedUsd }) => chargedUsd },
  { head: "Credits less debits", as: "exact", usd: ({ creditedUsd }) => creditedUsd },
  { head: "Balance at the end", phone: "value", phoneLabel: true, as: "exact", usd: ({ closingUsd }) => closingUsd },
  {
    head: "Entries",
    phone: "end",
    cell: ({ month }) => (
      <TextLink
        alone
        href={downloadPath(accountId, `/billing/ledger.csv?month=${month}`)}
        prefetch={false}
        aria-label={`Download the CSV of ${formatMonth(month)}`}
      >
        CSV
      </TextLink>
    ),
  },
]

/** Lists the statements of all months. */
export default async function StatementsPage() {
  const actor = await requireSession("/billing/statements")
  const statements = await listStatements(runtime(), actor)
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Statements">
        One page for each month, to read, print or save as PDF. The CSV file has every entry.
      </PageHeader>
      <Table
        caption="Statements"
        columns={columnsFor(actor.accountId)}
        rows={statements}
        rowKey={({ month }) => month}
        empty={<EmptyState title="No statements yet">The first entry of the ledger begins the first month.</EmptyState>}
      />
    </>
  )
}
