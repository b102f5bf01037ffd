import type { ReactNode } from "react"
import { PhoneFilters } from "@/components/form/phone-filters"
import { EmptyState } from "@/components/ui/empty-state"
import { FilterLink } from "@/components/ui/filter-link"
import { Paging } from "@/components/ui/paging"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { type AuditLine, type AuditTopic, ListAuditInput } from "@/lib/server/audit/schema"
import type { AccountReader } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { SearchParams } from "@/lib/server/usage/search"
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
    phone: "end",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ at }) => <time dateTime={at}>{formatExactTime(new Date(at))}</time>,
  },
  {
    head: "What happened",
    phone: "title",
    className: "font-medium sm:w-2/5",
    cell: (line) => (
      <span className="min-w-0 break-words">
        <What line={line} />
      </span>
    ),
  },
  { head: "By", phone: "line", cell: ({ by }) => <span className="min-w-0 break-all">{by}</span> },
  {
    head: "Client address",
    cell: ({ clientAddress }) => <span className="break-all font-mono text-sm">{clientAddress ?? "–"}</span>,
  },
]

const TOPICS: readonly { topic: AuditTopic; label: string }[] = [
  { topic: "all", label: "All" },
  { topic: "sign-ins", label: "Sign-ins" },
  { topic: "members", label: "Account and members" },
  { topic: "keys", label: "Keys" },
  { topic: "billing", label: "Billing" },
]

const auditHref = (topic: AuditTopic, before: string | null = null): string =>
  viewHref("/settings/audit", { topic, before })

function TopicLinks({ topic: current }: { topic: AuditTopic }) {
  return (
    <PhoneFilters count={current === "all" ? 0 : 1}>
      <nav aria-label="Filter entries" className="flex flex-wrap gap-1">
        {TOPICS.map(({ topic, label }) => (
          <FilterLink key={topic} href={auditHref(topic)} isCurrent={topic === current}>
            {label}
          </FilterLink>
        ))}
      </nav>
    </PhoneFilters>
  )
}

/** Renders the audit log of the actor's account. */
export async function auditView(actor: AccountReader, params: SearchParams): Promise<ReactNode> {
  const { topic, before } = ListAuditInput.parse(params)
  const { lines, next } = await listAudit(runtime(), actor, { topic, before })
  return (
    <div className="flex flex-col gap-4">
      <TopicLinks topic={topic} />
      <Table
        caption="Audit log"
        columns={COLUMNS}
        rows={lines}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No entries">
            {before === null ? "No entry matches this filter yet." : "There are no older entries."}
          </EmptyState>
        }
      />
      <Paging of="entries" page={before} next={next} hrefOf={(page) => auditHref(topic, page)} />
    </div>
  )
}
