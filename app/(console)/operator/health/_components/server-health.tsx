import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Fact, Facts } from "@/components/ui/fact"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { JobRun } from "@/lib/server/health/job-runs"
import type { EngineState, ProcessState } from "@/lib/server/health/process-state"
import { countOf, formatCount, formatMs } from "@/lib/shared/format"

const OTHERS = {
  all: "Fleet lists the other servers on this database. For more, read /readyz and /metrics of each.",
  api: "Fleet lists the other servers on this database. For more, read /readyz and /metrics of each.",
  console:
    "This server has no API (SERVE=console), so this is what its playground uses. The engines, queues and jobs of the servers with the API cannot be seen from here. Read /readyz and /metrics of each.",
} as const

const REDIS = { ok: "Connected", degraded: "Unreachable: each process enforces its share of every limit" } as const

/** Shows what the server of this console knows about itself, and says what it cannot know. */
export function ServerHealth({ server }: { server: ProcessState | null }) {
  if (!server)
    return (
      <Alert tone="warn" title="The state of the server is unknown">
        It did not report its engines, queues, Redis and jobs in time. Read its /readyz and /metrics.
      </Alert>
    )
  const { connections, redis } = server
  return (
    <>
      <Section id="server" title="This server" hint={OTHERS[server.serves]}>
        <Facts label="This server">
          <Fact label="Charges" hint={server.fault ? server.fault.replaceAll("_", " ") : "The ledger can be written"}>
            {server.fault ? <Badge tone="danger">Refused</Badge> : <Badge tone="accent">Working</Badge>}
          </Fact>
          <Fact
            label="Process"
            hint={
              <>
                Node {server.node.slice(1)}, started <Time at={server.startedAt} />
              </>
            }
          >
            {server.host}, {server.pid}
          </Fact>
          <Fact label="Connections to PostgreSQL" hint={waitingText(connections.waiting)}>
            {connections.open - connections.idle} of {connections.max} in use
          </Fact>
          <Fact label="Redis" hint={redis === null ? "Rate limits are counted by this server only" : REDIS[redis]}>
            {redis === null ? "Not used" : <Badge tone={redis === "ok" ? "accent" : "warn"}>{redis}</Badge>}
          </Fact>
        </Facts>
      </Section>
      <Section id="engines" title="Engines and their queues">
        <Table caption="Engines" columns={ENGINES} rows={server.engines} rowKey={({ model }) => model} />
      </Section>
      <Section id="jobs" title="Jobs" hint="Periodic work of this server. A job that fails is tried again.">
        <Table caption="Jobs" columns={JOBS} rows={server.jobs} rowKey={({ name }) => name} />
      </Section>
    </>
  )
}

/** Returns how many requests wait for a connection to PostgreSQL, as a sentence. */
export function waitingText(waiting: number): string {
  if (waiting === 0) return "No request is waiting for a connection"
  return `${countOf(waiting, "request")} ${waiting === 1 ? "is" : "are"} waiting for a connection`
}

const ENGINES: readonly Column<EngineState>[] = [
  { head: "Model", phone: "title", cell: ({ model }) => <span className="break-all font-mono text-sm">{model}</span> },
  {
    head: "State",
    phone: "value",
    className: "sm:w-1/3",
    cell: ({ available, reason }) =>
      available ? (
        <Badge tone="accent">Available</Badge>
      ) : (
        <Badge tone="danger" note={reason}>
          Unavailable
        </Badge>
      ),
  },
  {
    head: "Running",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: ({ running, limit }) => `${formatCount(running)} of ${formatCount(limit)}`,
  },
  { head: "Waiting", phone: "end", phoneLabel: true, align: "right", cell: ({ waiting }) => formatCount(waiting) },
]

function everyText(everyMs: number): string {
  const seconds = everyMs / 1_000
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`
}

const JOBS: readonly Column<JobRun>[] = [
  { head: "Job", phone: "title", className: "font-medium", cell: ({ name }) => name },
  {
    head: "State",
    phone: "value",
    cell: ({ failures, endedAt, isRunning }) => {
      if (failures > 0) return <Badge tone="danger">{failures === 1 ? "Failed" : `Failed ${failures} times`}</Badge>
      if (isRunning) return <Badge tone="accent">Running</Badge>
      return endedAt ? <Badge>Done</Badge> : <Badge>Not run yet</Badge>
    },
  },
  { head: "Every", phone: "line", phoneLabel: true, align: "right", cell: ({ everyMs }) => everyText(everyMs) },
  { head: "Last run", phone: "end", phoneLabel: true, cell: ({ endedAt }) => (endedAt ? <Time at={endedAt} /> : "–") },
  { head: "Took", align: "right", cell: ({ tookMs }) => formatMs(tookMs) },
]
