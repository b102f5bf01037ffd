import { EmptyState } from "@/components/ui/empty-state"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import type { Statement } from "@/lib/server/billing/get-statement"
import { type StatementLine, statementLines } from "@/lib/server/billing/statement-lines"
import { formatDate, formatExactUsd } from "@/lib/shared/format"

function details({ details: text, topupId }: StatementLine) {
  if (topupId) return <span className="break-all font-mono text-ink-muted text-xs">{topupId}</span>
  return text ? <span className="wrap-anywhere">{text}</span> : null
}

const columnsFor = (decimals: number): readonly Column<StatementLine>[] => [
  {
    head: "Day (UTC)",
    cell: ({ day }) => <span className="whitespace-nowrap tabular-nums">{formatDate(new Date(day))}</span>,
  },
  { head: "Entry", cell: ({ what }) => what },
  { head: "Details", cell: details },
  { head: "Amount", align: "right", cell: ({ amountUsd }) => <Money usd={amountUsd} exact decimals={decimals} /> },
]

/** The month's lines, oldest first. */
export function StatementLines({ statement }: { statement: Statement }) {
  const lines = statementLines(statement)
  if (lines.length === 0) return <EmptyState title="No entries in this month">The balance did not change.</EmptyState>
  const columns = columnsFor(
    mostDecimals(
      lines.map(({ amountUsd }) => amountUsd),
      formatExactUsd,
    ),
  )
  return <Table caption="Entries of the month" columns={columns} rows={lines} rowKey={({ id }) => id} />
}
