import { type Column, Table } from "@/components/ui/table"
import type { Statement } from "@/lib/server/billing/get-statement"
import type { ChargeSum } from "@/lib/server/billing/statement-sums"
import { formatCount } from "@/lib/shared/format"

const columnsFor = (head: string): readonly Column<ChargeSum>[] => [
  { head, phone: "title", phoneLabel: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  {
    head: "Decisions",
    phone: "line",
    phoneLabel: true,
    align: "right",
    className: "sm:w-32",
    cell: ({ decisions }) => formatCount(decisions),
  },
  {
    head: "Tokens",
    phone: "end",
    phoneLabel: true,
    align: "right",
    className: "sm:w-32",
    cell: ({ tokens }) => formatCount(tokens),
  },
  { head: "Amount", phone: "value", as: "exact", className: "sm:w-40", usd: ({ amountUsd }) => amountUsd },
]

/** Shows what the month's decisions cost by key, model, member and tag. Nothing for a month without decisions. */
export function ChargeSums({ statement: { byKey, byModel, byMember, byTag } }: { statement: Statement }) {
  const tables = [
    { head: "Key", rows: byKey },
    { head: "Model", rows: byModel },
    { head: "Member", rows: byMember },
    { head: "Tag", rows: byTag },
  ]
  return tables.map(({ head, rows }) =>
    rows.length > 0 ? (
      <Table
        key={head}
        caption={`Decisions by ${head.toLowerCase()}`}
        columns={columnsFor(head)}
        rows={rows}
        rowKey={({ name }) => name}
      />
    ) : null,
  )
}
