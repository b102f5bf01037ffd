import { FilterLink } from "@/components/ui/filter-link"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { describeAudit } from "@/lib/server/audit/list-audit"
import type { AuditLine, AuditTopic } from "@/lib/server/audit/schema"
import { formatExactTime } from "@/lib/shared/format"

function What({ line }: { line: AuditLine }) {
  const text = describeAudit(line)
  if (line.keyName === null || line.subject === null) return text
  return (
    <TextLink alone href={`/keys/${line.subject}`}>
      {text}
    </TextLink>
  )
}

const COLUMNS: Column<AuditLine>[] = [
  {
    head: "Time",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ at }) => <time dateTime={at}>{formatExactTime(new Date(at))}</time>,
  },
  {
    head: "What happened",
    className: "font-medium sm:w-2/5",
    cell: (line) => (
      <span className="min-w-0 break-words">
        <What line={line} />
      </span>
    ),
  },
  { head: "By", cell: ({ by }) => <span className="min-w-0 break-all">{by}</span> },
  {
    head: "Client address",
    cell: ({ clientAddress }) => <span className="break-all font-mono text-sm">{clientAddress ?? "–"}</span>,
  },
]

export function AuditTable({ lines }: { lines: AuditLine[] }) {
  return <Table caption="Audit log" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} />
}

const TOPICS: readonly { topic: AuditTopic; label: string }[] = [
  { topic: "all", label: "All" },
  { topic: "sign-ins", label: "Sign-ins" },
  { topic: "members", label: "Account and members" },
  { topic: "keys", label: "Keys" },
  { topic: "billing", label: "Billing" },
]

export function auditHref(topic: AuditTopic, before: string | null = null): string {
  const query = new URLSearchParams()
  if (topic !== "all") query.set("topic", topic)
  if (before !== null) query.set("before", before)
  return query.size ? `/settings/audit?${query}` : "/settings/audit"
}

export function TopicLinks({ topic: current }: { topic: AuditTopic }) {
  return (
    <nav aria-label="Filter entries" className="flex flex-wrap gap-1 pb-3">
      {TOPICS.map(({ topic, label }) => (
        <FilterLink key={topic} href={auditHref(topic)} isCurrent={topic === current}>
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}
