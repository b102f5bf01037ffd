import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { describeAudit } from "@/lib/server/audit/describe-audit"
import type { AuditLine } from "@/lib/server/audit/schema"
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

/** Lines of the audit log. */
export function AuditTable({ lines }: { lines: AuditLine[] }) {
  return <Table caption="Audit log" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} />
}
