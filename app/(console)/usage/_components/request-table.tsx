import { Badge } from "@/components/ui/badge"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { formatCount } from "@/lib/shared/format"

/** "1 noul, 2 choice": the question types of the request that occur in it. */
function countQuestions({ charge }: LoggedRequest): string {
  if (!charge) return "–"
  const counts = [`${charge.noul} noul`, `${charge.choice} choice`, `${charge.score} score`]
  return counts.filter((text) => !text.startsWith("0 ")).join(", ")
}

const columnsFor = (decimals: number): readonly Column<LoggedRequest>[] => [
  {
    head: "Request",
    cell: ({ id, at }) => (
      <span className="flex flex-col max-sm:items-end">
        <Time at={at} as="minute" className="self-start max-sm:self-end" />
        <span className="break-all font-mono text-ink-muted text-xs xl:whitespace-nowrap">{id}</span>
      </span>
    ),
  },
  {
    head: "Key and model",
    className: "sm:min-w-40",
    cell: ({ keyName, model }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">{keyName}</span>
        <span className="break-all font-mono text-ink-muted text-xs">{model}</span>
      </span>
    ),
  },
  { head: "Questions", cell: (request) => countQuestions(request) },
  { head: "Tokens", align: "right", cell: ({ charge }) => (charge ? formatCount(charge.tokens) : "–") },
  {
    head: "Cost",
    align: "right",
    cell: ({ charge }) =>
      charge ? <Money usd={charge.costUsd} decimals={decimals} /> : <span className="text-ink-muted">not charged</span>,
  },
  {
    head: "Result",
    cell: ({ status, code }) => (code ? <Badge tone="warn">{`${status} ${code}`}</Badge> : <Badge>{status}</Badge>),
  },
  {
    head: "Latency",
    align: "right",
    cell: ({ latencyMs }) => (latencyMs === null ? "–" : `${formatCount(latencyMs)} ms`),
  },
]

/** Requests without anything of their content: none is stored. */
export function RequestTable({ requests }: { requests: LoggedRequest[] }) {
  const columns = columnsFor(mostDecimals(requests.flatMap(({ charge }) => charge?.costUsd ?? [])))
  return <Table caption="Requests" columns={columns} rows={requests} rowKey={({ id }) => id} />
}
