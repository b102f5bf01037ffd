import { EmptyState } from "@/components/ui/empty-state"
import { formatDate } from "@/components/ui/format-time"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import type { DaySpend } from "@/lib/usage/list-daily-spend"

const NUMBER = new Intl.NumberFormat("en-US")

const COLUMNS: readonly Column<DaySpend>[] = [
  {
    head: "Day (UTC)",
    cell: ({ day }) => <span className="whitespace-nowrap tabular-nums">{formatDate(new Date(day))}</span>,
  },
  { head: "Key", cell: ({ keyName }) => <span className="wrap-anywhere">{keyName}</span> },
  { head: "Decisions", align: "right", cell: ({ decisions }) => NUMBER.format(decisions) },
  { head: "Tokens", align: "right", cell: ({ tokens }) => NUMBER.format(tokens) },
  { head: "Cost", align: "right", cell: ({ costUsd }) => <Money usd={costUsd} /> },
]

/** What each key spent on each day. */
export function DailyTable({ rows }: { rows: DaySpend[] }) {
  if (rows.length === 0)
    return (
      <EmptyState
        title="No decisions in this span"
        action={<LinkButton href="/playground">Open the playground</LinkButton>}
      >
        Every decision that is answered appears here with its cost, by day and key.
      </EmptyState>
    )
  return (
    <Table
      caption="Spending by day and key"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ day, keyId }) => `${day} ${keyId}`}
    />
  )
}
