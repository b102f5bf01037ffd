import { Badge } from "@/components/ui/badge"
import { EmptyState } from "@/components/ui/empty-state"
import { formatExact } from "@/components/ui/format-time"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { RecentRequest, RecentRequests } from "@/lib/usage/list-recent-requests"

const NUMBER = new Intl.NumberFormat("en-US")

/** "1 noul, 2 choice": the question types of the request that occur in it. */
function countQuestions({ charge }: RecentRequest): string {
  if (!charge) return "–"
  const counts = [`${charge.noul} noul`, `${charge.choice} choice`, `${charge.score} score`]
  return counts.filter((text) => !text.startsWith("0 ")).join(", ")
}

const COLUMNS: readonly Column<RecentRequest>[] = [
  {
    head: "Request",
    cell: ({ id, at }) => (
      <span className="flex flex-col max-sm:items-end">
        <Time at={at} as="minute" className="self-start max-sm:self-end" />
        <span className="break-all font-mono text-ink-muted text-xs">{id}</span>
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
  { head: "Tokens", align: "right", cell: ({ charge }) => (charge ? NUMBER.format(charge.tokens) : "–") },
  {
    head: "Cost",
    align: "right",
    cell: ({ charge }) =>
      charge ? <Money usd={charge.costUsd} /> : <span className="text-ink-muted">not charged</span>,
  },
  {
    head: "Result",
    cell: ({ status, code }) => (code ? <Badge tone="warn">{`${status} ${code}`}</Badge> : <Badge>{status}</Badge>),
  },
  {
    head: "Latency",
    align: "right",
    cell: ({ latencyMs }) => (latencyMs === null ? "–" : `${NUMBER.format(latencyMs)} ms`),
  },
]

interface RecentTableProps {
  recent: RecentRequests
  days: number
  isFirstPage: boolean
}

/** The last requests, charged and refused; their content is never stored. */
export function RecentTable({ recent, days, isFirstPage }: RecentTableProps) {
  const { requests, next, asOf } = recent
  return (
    <section aria-labelledby="recent" className="flex flex-col gap-4">
      <div>
        <h2 id="recent" className="font-semibold text-md">
          Recent requests
        </h2>
        <p className="text-ink-muted">
          States, instructions and descriptions are not stored. Refused requests are not charged.
        </p>
      </div>
      {requests.length > 0 ? (
        <Table caption="Recent requests" columns={COLUMNS} rows={requests} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="No requests yet">Requests appear here within a second, newest first.</EmptyState>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-muted text-sm">As of {formatExact(new Date(asOf))}. Times are UTC.</p>
        <nav aria-label="Pages of requests" className="flex gap-2">
          {isFirstPage ? null : (
            <LinkButton href={`/usage?days=${days}`} variant="secondary" size="sm">
              Newest
            </LinkButton>
          )}
          {next ? (
            <LinkButton href={`/usage?days=${days}&before=${next}`} variant="secondary" size="sm">
              Older requests
            </LinkButton>
          ) : null}
        </nav>
      </div>
    </section>
  )
}
