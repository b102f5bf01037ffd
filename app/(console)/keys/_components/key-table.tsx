import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { type KeySort, type KeyView, sortHref } from "@/lib/shared/keys/key-view"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { KeyActions } from "./key-actions"
import { KeyBadge } from "./key-badge"
import { KeySpend } from "./key-spend"

const none = (text: string) => <span className="text-ink-muted">{text}</span>

const mask = (key: KeySummary) =>
  key.masked ? <span className="whitespace-nowrap font-mono text-sm">{key.masked}</span> : none("Built in")

interface KeyColumn extends Column<KeySummary> {
  by?: KeySort
}

const COLUMNS: KeyColumn[] = [
  {
    head: "Name",
    by: "name",
    className: "font-medium sm:min-w-28 sm:max-w-44",
    cell: (key) => (
      <span className="min-w-0 break-words">
        <TextLink alone href={`/keys/${key.id}`} className="text-ink decoration-line-strong hover:text-accent">
          {key.name}
        </TextLink>
        <span className="hidden font-normal text-ink-muted sm:max-xl:block">{mask(key)}</span>
      </span>
    ),
  },
  { head: "Key", wideOnly: true, cell: mask },
  { head: "Status", by: "status", cell: (key) => <KeyBadge entry={key} /> },
  { head: "Used this period", by: "used", cell: (key) => <KeySpend entry={key} /> },
  {
    head: "Last used",
    by: "last-used",
    cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : none("Never")),
  },
  { head: "Created", by: "created", wideOnly: true, cell: (key) => <Time at={key.createdAt} as="date" /> },
  {
    head: "Expires",
    by: "expires",
    cell: (key) => (key.expiresAt ? <Time at={key.expiresAt} as="date" /> : none("Never")),
  },
  {
    head: "Actions",
    headHidden: true,
    align: "right",
    className: "max-sm:[&_button]:-mr-2 xl:[&_button]:-mr-2",
    cell: (key) => (key.kind === "secret" ? <KeyActions entry={key} /> : null),
  },
]

const NOW = { asc: "ascending", desc: "descending" } as const

/** An account's keys, in the order of the view; a press on a head leads to another order. */
export function KeyTable({ keys, view }: { keys: KeySummary[]; view: KeyView }) {
  const columns = COLUMNS.map(({ by, ...column }) =>
    by ? { ...column, sort: { href: sortHref(view, by), now: view.sort === by ? NOW[view.dir] : null } } : column,
  )
  return <Table caption="API keys" columns={columns} rows={keys} rowKey={(key) => key.id} />
}
