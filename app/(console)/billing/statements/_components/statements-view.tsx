import type { ReactNode } from "react"
import { EmptyState } from "@/components/ui/empty-state"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { downloadPath } from "@/lib/server/auth/return-path"
import { listStatements, type StatementLine } from "@/lib/server/billing/list-statements"
import type { AccountReader } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { formatMonth } from "@/lib/shared/format"

const columnsOf = (actor: AccountReader): readonly Column<StatementLine>[] => [
  ...COLUMNS,
  // A download needs a session of the account.
  ...(actor.type === "user" ? [downloadsOf(actor.accountId)] : []),
]

const COLUMNS: readonly Column<StatementLine>[] = [
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
]

const downloadsOf = (accountId: string): Column<StatementLine> => ({
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
})

/** Renders the statements of all months of the actor's account. */
export async function statementsView(actor: AccountReader): Promise<ReactNode> {
  const statements = await listStatements(runtime(), actor)
  return (
    <>
      <PageHeader back={<BackLink href="/billing">Billing</BackLink>} title="Statements">
        One page for each month, to read, print or save as PDF.
        {actor.type === "user" ? " The CSV file has every entry." : null}
      </PageHeader>
      <Table
        caption="Statements"
        columns={columnsOf(actor)}
        rows={statements}
        rowKey={({ month }) => month}
        empty={<EmptyState title="No statements yet">The first entry of the ledger begins the first month.</EmptyState>}
      />
    </>
  )
}
