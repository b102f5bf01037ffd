import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { describeEntry, type Entries, type Entry } from "@/lib/server/billing/entries"
import { formatCount, formatExactUsd } from "@/lib/shared/format"

function details({ charge, note, topupId }: Entry) {
  if (topupId) return <span className="break-all font-mono text-ink-muted text-xs">{topupId}</span>
  if (!charge) return note ? <span className="wrap-anywhere">{note}</span> : null
  return (
    <span className="flex min-w-0 flex-col">
      <span className="wrap-anywhere">
        {formatCount(charge.tokens)} tokens, {charge.keyName}
      </span>
      <span className="break-all font-mono text-ink-muted text-xs">{charge.requestId}</span>
    </span>
  )
}

const columnsFor = (amount: number, balance: number): readonly Column<Entry>[] => [
  { head: "Time (UTC)", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "Entry", cell: describeEntry },
  { head: "Details", className: "sm:min-w-40", cell: details },
  { head: "Amount", align: "right", cell: ({ amountUsd }) => <Money usd={amountUsd} exact decimals={amount} /> },
  {
    head: "Balance after",
    align: "right",
    cell: ({ balanceAfterUsd }) => <Money usd={balanceAfterUsd} exact decimals={balance} />,
  },
]

export function LedgerTable({ ledger, isFirstPage }: { ledger: Entries; isFirstPage: boolean }) {
  const { entries, next } = ledger
  const columns = columnsFor(
    mostDecimals(
      entries.map(({ amountUsd }) => amountUsd),
      formatExactUsd,
    ),
    mostDecimals(
      entries.map(({ balanceAfterUsd }) => balanceAfterUsd),
      formatExactUsd,
    ),
  )
  return (
    <section aria-labelledby="ledger" className="flex flex-col gap-4">
      <h2 id="ledger" className="font-semibold text-md">
        Ledger
      </h2>
      {entries.length > 0 ? (
        <Table caption="Ledger" columns={columns} rows={entries} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="No entries yet">
          Credits and charges will appear here, each with the balance after it.
        </EmptyState>
      )}
      <nav aria-label="Pages of the ledger" className="flex justify-end gap-2">
        {isFirstPage ? null : (
          <LinkButton href="/billing" variant="secondary" size="sm">
            Newest entries
          </LinkButton>
        )}
        {next ? (
          <LinkButton href={`/billing?before=${next}`} variant="secondary" size="sm">
            Older entries
          </LinkButton>
        ) : null}
      </nav>
    </section>
  )
}
