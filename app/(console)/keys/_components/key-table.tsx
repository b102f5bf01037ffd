import { Badge, type BadgeTone } from "@/components/ui/badge"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { KeyStatus, KeySummary } from "@/lib/keys/schema"
import { KeySpend } from "./key-spend"
import { RevokeKey } from "./revoke-key"

const STATUS: Record<KeyStatus, { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "neutral" },
  limit_reached: { label: "Limit reached", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
  revoked: { label: "Revoked", tone: "neutral" },
}

const none = (text: string) => <span className="text-ink-muted">{text}</span>

const mask = (key: KeySummary) =>
  key.masked ? <span className="whitespace-nowrap font-mono text-sm">{key.masked}</span> : none("Built in")

const COLUMNS: Column<KeySummary>[] = [
  {
    head: "Name",
    className: "font-medium sm:min-w-28 sm:max-w-44",
    cell: (key) => (
      <span className="min-w-0 break-words">
        {key.name}
        <span className="hidden font-normal text-ink-muted sm:max-xl:block">{mask(key)}</span>
      </span>
    ),
  },
  { head: "Key", wideOnly: true, cell: mask },
  { head: "Status", cell: (key) => <Badge tone={STATUS[key.status].tone}>{STATUS[key.status].label}</Badge> },
  { head: "Used this period", cell: (key) => <KeySpend entry={key} /> },
  { head: "Last used", cell: (key) => (key.lastUsedAt ? <Time at={key.lastUsedAt} /> : none("Never")) },
  { head: "Created", wideOnly: true, cell: (key) => <Time at={key.createdAt} as="date" /> },
  { head: "Expires", cell: (key) => (key.expiresAt ? <Time at={key.expiresAt} as="date" /> : none("Never")) },
  {
    head: "Actions",
    headHidden: true,
    align: "right",
    className: "max-sm:[&_button]:-mr-2.5 xl:[&_button]:-mr-2.5",
    cell: (key) => (key.kind === "secret" && key.status !== "revoked" ? <RevokeKey entry={key} /> : null),
  },
]

/** An account's keys. */
export function KeyTable({ keys }: { keys: KeySummary[] }) {
  return <Table caption="API keys" columns={COLUMNS} rows={keys} rowKey={(key) => key.id} />
}
