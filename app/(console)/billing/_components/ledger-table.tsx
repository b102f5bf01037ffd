import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { Paging } from "@/components/ui/paging"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { describeEntry, ENTRY_LABELS, type Entries, type Entry } from "@/lib/server/billing/entries"
import { ENTRY_KINDS, type ListEntriesInput } from "@/lib/shared/billing/schema"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { countOf } from "@/lib/shared/format"
import { dayOf } from "@/lib/shared/time"
import { viewHref } from "@/lib/shared/view-href"
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

const COLUMNS: readonly Column<Entry>[] = [
  { head: "Time (UTC)", phone: "line", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "Entry", phone: "title", cell: describeEntry },
  { head: "Details", className: "sm:min-w-40", cell: details },
  { head: "Amount", phone: "value", usd: ({ amountUsd }) => amountUsd },
  {
    head: "Balance after",
    phone: "end",
    phoneLabel: true,
    as: "balance",
    usd: ({ balanceAfterUsd }) => balanceAfterUsd,
  },
]

const KINDS = ENTRY_KINDS.map((value) => ({ value, label: ENTRY_LABELS[value] }))

interface LedgerTableProps {
  ledger: Entries
  search: ListEntriesInput
}

export function LedgerTable({ ledger: { entries, next }, search }: LedgerTableProps) {
  const { kind = "", from = "", to = "", before = null } = search
  const isFiltered = kind !== "" || from !== "" || to !== ""
  return (
    <Section
      id="ledger"
      title="Ledger"
      hint={
        <>
          The ledger lists everything that changed the balance.{" "}
          <span className="pointer-coarse:hidden">Hover over an amount to see its exact value. </span>The CSV file
          contains exact values. In it, {CSV_ESCAPES}.
        </>
      }
    >
      <div className="flex flex-wrap items-end gap-2">
        <LedgerFilterBar shown={{ kind, from, to }} kinds={KINDS} today={dayOf(new Date())} />
        {isFiltered ? (
          <LinkButton href="/billing" scroll={false} variant="quiet">
            Show all entries
          </LinkButton>
        ) : null}
      </div>
      <Table
        caption="Ledger"
        columns={COLUMNS}
        rows={entries}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={isFiltered ? "No matching entries" : "No entries yet"}>
            {isFiltered
              ? "No entry matches these filters."
              : "Credits and charges will appear here, each with the balance after it."}
          </EmptyState>
        }
      />
      <Paging
        of="entries"
        page={before}
        next={next}
        hrefOf={(page) => `${viewHref("/billing", { kind, from, to, before: page })}#ledger`}
      />
    </Section>
  )
}
