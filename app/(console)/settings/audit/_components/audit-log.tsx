import type { ReactNode } from "react"
import { FilterLink } from "@/components/ui/filter-link"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { describeAudit } from "@/lib/server/audit/list-audit"
import type { AuditLine, AuditTopic } from "@/lib/server/audit/schema"
import { formatExactTime } from "@/lib/shared/format"
import { viewHref } from "@/lib/shared/view-href"

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

export function AuditTable({ lines, empty }: { lines: AuditLine[]; empty: ReactNode }) {
  return <Table caption="Audit log" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} empty={empty} />
}

const TOPICS: readonly { topic: AuditTopic; label: string }[] = [
  { topic: "all", label: "All" },
  { topic: "sign-ins", label: "Sign-ins" },
  { topic: "members", label: "Account and members" },
  { topic: "keys", label: "Keys" },
  { topic: "billing", label: "Billing" },
]

export const auditHref = (topic: AuditTopic, before: string | null = null): string =>
  viewHref("/settings/audit", { topic, before })

export function TopicLinks({ topic: current }: { topic: AuditTopic }) {
  return (
    <nav aria-label="Filter entries" className="flex flex-wrap gap-1">
      {TOPICS.map(({ topic, label }) => (
        <FilterLink key={topic} href={auditHref(topic)} isCurrent={topic === current}>
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}
