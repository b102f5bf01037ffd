import { Badge } from "@/components/ui/badge"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { UserActor } from "@/lib/server/platform/actor"
import { findRequest } from "@/lib/server/usage/find-request"
import { listRequests } from "@/lib/server/usage/list-requests"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import { formatCount, formatExactTime, formatMs } from "@/lib/shared/format"
import { TYPE_NAMES } from "@/questions/question-types"

interface RequestLogProps {
  actor: UserActor
  search: UsageSearch
}

async function FoundRequest({ actor, search, id }: RequestLogProps & { id: string }) {
  const found = await findRequest(actor, { id })
  const back = (
    <LinkButton href={`${usageHref(search)}#requests`} variant="secondary" size="sm">
      Show all requests
    </LinkButton>
  )
  if (found)
    return (
      <>
        <p role="status">Found 1 request. The range and the filters above do not apply to this search.</p>
        <RequestTable requests={[found]} />
        <div>{back}</div>
      </>
    )
  return (
    <EmptyState title="No request has this id" action={back}>
      Check the id. It is in the x-request-id header of a response, such as req_0123456789abcdefghjkmnpqrs. Requests
      with an invalid key are not logged.
    </EmptyState>
  )
}

/** Shows one page of the log, newest first: answered requests with their cost, and all others. */
export async function RequestLog({ actor, search }: RequestLogProps) {
  if (search.request !== undefined) return <FoundRequest actor={actor} search={search} id={search.request} />
  const { requests, next, asOf } = await listRequests(actor, search)
  const isNarrowed = Boolean(search.keyId || search.model || search.result)
  return (
    <>
      {requests.length > 0 ? (
        <RequestTable requests={requests} />
      ) : (
        <EmptyState
          title={search.before ? "No older requests" : "No requests found"}
          action={
            isNarrowed ? (
              <LinkButton
                href={usageHref(search, { keyId: undefined, model: undefined, result: undefined })}
                variant="secondary"
              >
                Clear all filters
              </LinkButton>
            ) : null
          }
        >
          {isNarrowed ? "No request in this range matches the filters." : "Requests appear here within a second."}
        </EmptyState>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-muted text-sm">As of {formatExactTime(new Date(asOf))}. Times are in UTC.</p>
        <nav aria-label="Pages of requests" className="flex gap-2">
          {search.before ? (
            <LinkButton href={`${usageHref(search)}#requests`} variant="secondary" size="sm">
              Newest requests
            </LinkButton>
          ) : null}
          {next ? (
            <LinkButton href={`${usageHref(search, { before: next })}#requests`} variant="secondary" size="sm">
              Older requests
            </LinkButton>
          ) : null}
        </nav>
      </div>
    </>
  )
}

/** Returns the number of questions of each type in a request: "1 noul, 2 choice". */
function countQuestions({ charge }: LoggedRequest): string {
  if (!charge) return "–"
  const counts = TYPE_NAMES.flatMap((type) => {
    const count = charge.questionCounts[type]
    return count ? [`${count} ${type}`] : []
  })
  return counts.join(", ")
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
    cell: ({ latencyMs }) => formatMs(latencyMs),
  },
]

/** Lists requests without their content, which is never stored. */
function RequestTable({ requests }: { requests: LoggedRequest[] }) {
  const columns = columnsFor(mostDecimals(requests.flatMap(({ charge }) => charge?.costUsd ?? [])))
  return <Table caption="Requests" columns={columns} rows={requests} rowKey={({ id }) => id} />
}
