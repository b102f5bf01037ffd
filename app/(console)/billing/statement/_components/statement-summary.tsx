import { Money, mostDecimals } from "@/components/ui/money"
import type { EntryKind } from "@/lib/server/billing/describe-entry"
import type { Statement } from "@/lib/server/billing/get-statement"
import { monthRange } from "@/lib/server/billing/month"
import { formatDate, formatExactUsd } from "@/lib/shared/format"

const TOTALS: Record<EntryKind, string> = {
  welcome: "Welcome credit",
  topup: "Top-ups",
  credit: "Credits by the operator",
  debit: "Debits by the operator",
  refund: "Refunds",
  dispute: "Disputes",
  charge: "Decisions",
}

/** What the month began with, what came and went, and what it ended with. */
export function StatementSummary({ statement }: { statement: Statement }) {
  const { start, end } = monthRange(statement.month)
  const last = statement.isOver ? new Date(end.getTime() - 1) : new Date(statement.asOf)
  const totals = new Map(statement.totals.map(({ kind, amountUsd }) => [kind, amountUsd]))
  const kinds = (Object.keys(TOTALS) as EntryKind[]).filter((kind) => totals.has(kind))
  const decimals = mostDecimals([statement.openingUsd, statement.closingUsd, ...totals.values()], formatExactUsd)
  return (
    <dl className="flex max-w-md flex-col tabular-nums">
      <Line
        name={`Balance at the start of ${formatDate(start)}`}
        usd={statement.openingUsd}
        decimals={decimals}
        strong
      />
      {kinds.map((kind) => (
        <Line key={kind} name={TOTALS[kind]} usd={totals.get(kind) ?? ""} decimals={decimals} />
      ))}
      <Line
        name={`Balance ${statement.isOver ? "at the end of" : "on"} ${formatDate(last)}`}
        usd={statement.closingUsd}
        decimals={decimals}
        strong
      />
    </dl>
  )
}

interface LineProps {
  name: string
  usd: string
  decimals: number
  strong?: boolean
}

const Line = ({ name, usd, decimals, strong = false }: LineProps) => (
  <div className={`flex justify-between gap-4 border-line border-b py-2 ${strong ? "font-medium" : ""}`}>
    <dt className={strong ? "" : "text-ink-muted"}>{name}</dt>
    <dd>
      <Money usd={usd} exact decimals={decimals} />
    </dd>
  </div>
)
