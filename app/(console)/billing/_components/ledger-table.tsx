import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { describeEntry, ENTRY_LABELS, type Entries, type Entry } from "@/lib/server/billing/entries"
import { ENTRY_KINDS, type ListEntriesInput } from "@/lib/shared/billing/schema"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { countOf } from "@/lib/shared/format"
import { dayOf } from "@/lib/shared/time"
import { LedgerFilterBar } from "./ledger-filters"

function details({ charge, note, topupId }: Entry) {
  const noteText = note ? <span className="wrap-anywhere">{note}</span> : null
  if (topupId)
    return (
      <span className="flex min-w-0 flex-col">
        {noteText}
        <span className="break-all font-mono text-ink-muted text-xs">{topupId}</span>
      </span>
    )
  if (!charge) return noteText
  return (
    <span className="flex min-w-0 flex-col">
      <span className="wrap-anywhere">
        {countOf(charge.tokens, "token")}, {charge.keyLabel}
      </span>
      <span className="break-all font-mono text-ink-muted text-xs">{charge.requestId}</span>
    </span>
  )
}

const columnsFor = (amountDecimals: number, balanceDecimals: number): readonly Column<Entry>[] => [
  { head: "Time (UTC)", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "Entry", cell: describeEntry },
  { head: "Details", className: "sm:min-w-40", cell: details },
  { head: "Amount", align: "right", cell: ({ amountUsd }) => <Money usd={amountUsd} decimals={amountDecimals} /> },
  {
    head: "Balance after",
    align: "right",
    cell: ({ balanceAfterUsd }) => <Money usd={balanceAfterUsd} decimals={balanceDecimals} />,
  },
]

const KINDS = ENTRY_KINDS.map((value) => ({ value, label: ENTRY_LABELS[value] }))

/** Returns the URL of a page of the ledger with a filter: the entries older than `before`, or the newest. */
function ledgerHref({ kind, from, to, before }: ListEntriesInput): string {
  const query = Object.entries({ kind, from, to, before }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return query.length === 0 ? "/billing" : `/billing?${new URLSearchParams(query)}`
}

interface LedgerTableProps {
  ledger: Entries
  search: ListEntriesInput
}

export function LedgerTable({ ledger, search }: LedgerTableProps) {
  const { kind = "", from = "", to = "", before } = search
  const isFiltered = kind !== "" || from !== "" || to !== ""
  return (
    <section aria-labelledby="ledger" className="flex flex-col gap-4">
      <div>
        <h2 id="ledger" className="scroll-mt-5 font-semibold text-md">
          Ledger
        </h2>
        <p className="text-ink-muted">
          The ledger lists everything that changed the balance.{" "}
          <span className="pointer-coarse:hidden">Hover over an amount to see its exact value. </span>The CSV file
          contains exact values. In it, {CSV_ESCAPES}.
        </p>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <LedgerFilterBar shown={{ kind, from, to }} kinds={KINDS} today={dayOf(new Date())} />
        {isFiltered ? (
          <LinkButton href="/billing" scroll={false} variant="quiet">
            Show all entries
          </LinkButton>
        ) : null}
      </div>
      <Rows ledger={ledger} isFiltered={isFiltered} />
      <nav aria-label="Pages of the ledger" className="flex justify-end gap-2">
        {before === undefined ? null : (
          <LinkButton href={`${ledgerHref({ ...search, before: undefined })}#ledger`} variant="secondary" size="sm">
            Newest entries
          </LinkButton>
        )}
        {ledger.next ? (
          <LinkButton href={`${ledgerHref({ ...search, before: ledger.next })}#ledger`} variant="secondary" size="sm">
            Older entries
          </LinkButton>
        ) : null}
      </nav>
    </section>
  )
}

function Rows({ ledger: { entries }, isFiltered }: { ledger: Entries; isFiltered: boolean }) {
  if (entries.length === 0)
    return (
      <EmptyState title={isFiltered ? "No matching entries" : "No entries yet"}>
        {isFiltered
          ? "No entry matches these filters."
          : "Credits and charges will appear here, each with the balance after it."}
      </EmptyState>
    )
  const columns = columnsFor(
    mostDecimals(entries.map(({ amountUsd }) => amountUsd)),
    mostDecimals(entries.map(({ balanceAfterUsd }) => balanceAfterUsd)),
  )
  return <Table caption="Ledger" columns={columns} rows={entries} rowKey={({ id }) => id} />
}
