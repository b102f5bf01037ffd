import { Badge } from "@/components/ui/badge"
import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { type FleetMember, listFleet } from "@/lib/server/health/list-fleet"
import { runtime } from "@/lib/server/platform/runtime"
import { clockText, FLEET_STATES, jobsText } from "@/lib/shared/operator/fleet"
import { operatorTitle } from "../_components/operator-title"

export const generateMetadata = () => operatorTitle("Fleet")

const mono = (text: string | null) =>
  text === null ? "–" : <span className="break-all font-mono text-ink-muted text-sm">{text}</span>

const COLUMNS: readonly Column<FleetMember>[] = [
  {
    head: "Server",
    phone: "title",
    className: "font-medium",
    cell: ({ host, address }) => (
      <span className="flex min-w-0 flex-col">
        <span className="break-all">{host}</span>
        {address === null ? null : mono(address)}
      </span>
    ),
  },
  {
    head: "State",
    phone: "value",
    cell: ({ state, reason }) => (
      <Badge tone={FLEET_STATES[state].tone} note={reason}>
        {FLEET_STATES[state].label}
      </Badge>
    ),
  },
  { head: "Version", phone: "line", cell: ({ version }) => mono(version) },
  { head: "Schema", wideOnly: true, cell: ({ schema }) => mono(schema) },
  { head: "Jobs", cell: (member) => jobsText(member) ?? "–" },
  { head: "Clock", cell: (member) => clockText(member) ?? "–" },
  { head: "Started", wideOnly: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
  { head: "Last seen", phone: "end", cell: ({ seenAt }) => <Time at={seenAt} /> },
]

export default async function FleetPage() {
  const operator = await requireOperator("/operator/fleet")
  return (
    <>
      <PageHeader title="Fleet">
        The servers on this database that reported within the last day. Each reports every five seconds. One that has
        not for 15 seconds, and did not stop in order, is lost.
      </PageHeader>
      <Table
        caption="Servers"
        columns={COLUMNS}
        rows={await listFleet(runtime(), operator)}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No servers">A server appears here within five seconds of its start.</EmptyState>}
      />
    </>
  )
}
