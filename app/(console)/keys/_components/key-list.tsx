import type { ReactNode } from "react"
import { PhoneFilters } from "@/components/form/phone-filters"
import { KeyBadge } from "@/components/key-badge"
import { EmptyState } from "@/components/ui/empty-state"
import { FilterLink } from "@/components/ui/filter-link"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { KeySort, KeyView, ViewedKeys } from "@/lib/shared/keys/key-view"
import { keyViewHref, sortHref } from "@/lib/shared/keys/key-view-href"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { KeyActions } from "./key-dialogs"
import { KeySearch } from "./key-search"
import { KeySelection, SelectKey } from "./key-selection"
import { KeySpend } from "./key-spend"

export function KeysHeader({ action }: { action: ReactNode }) {
  return (
    <PageHeader title="API keys" action={action}>
      Your programs send requests with a key. Each key spends from your balance, up to its own limit.
    </PageHeader>
  )
}

interface KeyListProps extends ViewedKeys {
  /** Names by key id, unique within the account. */
  labels: ReadonlyMap<string, string>
}

export function KeyList({ rows, view, counts, creators, labels }: KeyListProps) {
  return (
    <>
      <div className="pb-3">
        <PhoneFilters count={[view.show !== "active", view.q !== "", view.by !== ""].filter(Boolean).length}>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <KeyFilter view={view} counts={counts} />
            <KeySearch view={view} creators={creators} />
          </div>
        </PhoneFilters>
      </div>
      {rows.length > 0 ? (
        <KeySelection keys={rows}>
          <KeyTable keys={rows} view={view} labels={labels} />
        </KeySelection>
      ) : (
        <EmptyState
          title="No matching keys"
          action={
            <LinkButton href={keyViewHref(view, { q: "", by: "", show: "all" })} variant="secondary">
              Show all keys
            </LinkButton>
          }
        >
          {view.q === ""
            ? "No key is in this list."
            : `No key in this list has “${view.q}” in its name, shortened key or id.`}
        </EmptyState>
      )}
      <p className="max-w-text pt-6 text-ink-muted text-sm">
        Requests in progress count toward a limit, so a request can be refused slightly before the limit is spent. Runs
        in the playground are charged to the Playground key, which has no secret.
      </p>
    </>
  )
}

const FILTERS: readonly { show: KeyView["show"]; label: string }[] = [
  { show: "active", label: "Active" },
  { show: "ended", label: "Ended" },
  { show: "all", label: "All" },
]

function KeyFilter({ view, counts }: Pick<ViewedKeys, "view" | "counts">) {
  return (
    <nav aria-label="Filter keys" className="flex gap-1">
      {FILTERS.filter(({ show }) => show !== "ended" || counts.ended > 0).map(({ show, label }) => (
        <FilterLink key={show} href={keyViewHref(view, { show })} scroll={false} isCurrent={show === view.show}>
          {label} <span className="tabular-nums">{counts[show]}</span>
        </FilterLink>
      ))}
    </nav>
  )
}

const muted = (text: string) => <span className="text-ink-muted">{text}</span>

const shortened = (key: KeySummary) =>
  key.masked ? <span className="whitespace-nowrap font-mono text-sm">{key.masked}</span> : muted("Built in")

/** `by` is the sort order that the column head links to. */
type KeyColumn = Column<KeySummary> & { by?: KeySort }

const columnsFor = (labels: KeyListProps["labels"]): KeyColumn[] => [
  {
    head: "Select",
    phone: "start",
    headHidden: true,
    className: "sm:w-8",
    cell: (key) => <SelectKey entry={key} label={labels.get(key.id) ?? key.name} />,
  },
  {
    head: "Name",
    phone: "title",
    by: "name",
    className: "font-medium sm:min-w-28 sm:max-w-44",
    cell: (key) => (
      <span className="min-w-0 break-words">
        <TextLink alone href={`/keys/${key.id}`} className="text-ink decoration-line-strong hover:text-accent">
          {key.name}
        </TextLink>
        {labels.get(key.id) === key.name ? null : (
          <span className="whitespace-nowrap font-mono font-normal text-ink-muted text-sm">
            {" "}
            {labels.get(key.id)?.slice(key.name.length + 1)}
          </span>
        )}
        <span className="hidden font-normal text-ink-muted sm:max-xl:block">{shortened(key)}</span>
      </span>
    ),
  },
  { head: "Key", phone: "line", wideOnly: true, cell: shortened },
  { head: "Status", phone: "value", by: "status", cell: (key) => <KeyBadge entry={key} /> },
  { head: "Used this period", by: "used", cell: (key) => <KeySpend entry={key} /> },
  {
    head: "Last used",
    phone: "end",
    phoneLabel: true,
    by: "last-used",
    cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : muted("Never")),
  },
  { head: "Created", by: "created", wideOnly: true, cell: (key) => <Time at={key.createdAt} as="date" /> },
  {
    head: "Expires",
    by: "expires",
    cell: (key) => (key.expiresAt ? <Time at={key.expiresAt} as="date" /> : muted("Never")),
  },
  {
    head: "Actions",
    phone: "menu",
    headHidden: true,
    align: "right",
    className: "max-sm:[&_button]:-mr-2 xl:[&_button]:-mr-2",
    cell: (key) => (key.kind === "secret" ? <KeyActions entry={key} label={labels.get(key.id) ?? key.name} /> : null),
  },
]

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const

function KeyTable({ keys, view, labels }: { keys: KeySummary[] } & Pick<KeyListProps, "view" | "labels">) {
  const columns = columnsFor(labels).map(({ by, ...column }) =>
    by ? { ...column, sort: { href: sortHref(view, by), now: view.sort === by ? ARIA_SORT[view.dir] : null } } : column,
  )
  return <Table caption="API keys" columns={columns} rows={keys} rowKey={(key) => key.id} />
}
