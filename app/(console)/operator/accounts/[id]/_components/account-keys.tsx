import { KeyBadge } from "@/components/key-badge"
import { EmptyState } from "@/components/ui/empty-state"
import { Money } from "@/components/ui/money"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { KeySummary } from "@/lib/shared/keys/schema"

const COLUMNS: readonly Column<KeySummary>[] = [
  {
    head: "Key",
    phone: "title",
    className: "font-medium",
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  {
    head: "Shortened key",
    wideOnly: true,
    cell: ({ masked }) => <span className="whitespace-nowrap font-mono text-sm">{masked ?? "–"}</span>,
  },
  { head: "Status", phone: "end", cell: (key) => <KeyBadge entry={key} /> },
  { head: "Spent", phone: "value", usd: ({ spentUsd }) => spentUsd },
  {
    head: "Spend limit",
    align: "right",
    cell: ({ limitUsd, period }) =>
      limitUsd === null ? (
        "None"
      ) : (
        <>
          <Money usd={limitUsd} /> {period}
        </>
      ),
  },
  {
    head: "Last used",
    phone: "line",
    phoneLabel: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "Never"),
  },
  {
    head: "Id",
    wideOnly: true,
    cell: ({ id }) => <span className="break-all font-mono text-ink-muted text-xs">{id}</span>,
  },
]

export function AccountKeys({ keys }: { keys: KeySummary[] }) {
  return (
    <Section id="keys" title="Keys">
      <Table
        caption="Keys"
        columns={COLUMNS}
        rows={keys}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No keys">The account has created no key, so only its playground can spend.</EmptyState>
        }
      />
    </Section>
  )
}
