import Form from "next/form"
import type { ReactNode } from "react"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { LinkButton } from "@/components/ui/link-button"
import { Paging } from "@/components/ui/paging"
import { SearchInput } from "@/components/ui/search-input"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { type LoggedRequests, listRequests } from "@/lib/server/usage/list-requests"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { type UsageSearch, usageHref, usageParams } from "@/lib/server/usage/search"
import { formatCount, formatMs } from "@/lib/shared/format"
import { TYPE_NAMES } from "@/questions/question-types"

type Log = { found: LoggedRequest | null } | LoggedRequests

/** Reads the request that the address asks for, or a page of the log. */
export async function readLog(actor: UserActor, search: UsageSearch): Promise<Log> {
  if (search.request !== undefined) return { found: await findRequest(runtime(), actor, { id: search.request }) }
  return listRequests(runtime(), actor, search)
}

/** Returns whether the address asks for one request. Links to such an address end in `#requests`. */
export const isAtLog = ({ request }: UsageSearch): boolean => request !== undefined

interface RequestLogProps {
  log: Log
  search: UsageSearch
  /** Key names by key id, unique within the account. */
  labels: ReadonlyMap<string, string>
}

/** Shows one page of the log, newest first, or the result of a search by request id. */
export function RequestLog({ log, search, labels }: RequestLogProps) {
  return (
    <Section
      id="requests"
      title="Requests"
      hint="The content of requests is never stored. Requests without an answer are not charged."
      action={<RequestSearch search={search} />}
    >
      {"found" in log ? (
        <FoundRequest found={log.found} search={search} labels={labels} />
      ) : (
        <>
          <RequestTable
            requests={log.requests}
            labels={labels}
            empty={
              <EmptyState title={search.before ? "No older requests" : "No requests found"}>
                {search.before ? "This is the end of the range." : "Requests appear here within a second."}
              </EmptyState>
            }
          />
          <Paging
            of="requests"
            page={log.requests.length > 0 ? (search.before ?? null) : null}
            next={log.next}
            hrefOf={(page) => `${usageHref(search, { before: page ?? undefined })}#requests`}
          />
        </>
      )}
    </Section>
  )
}

function RequestSearch({ search }: { search: UsageSearch }) {
  const { request = "" } = search
  return (
    <Form
      action="/usage"
      scroll={false}
      prefetch={false}
      aria-label="Find a request"
      className="flex flex-wrap items-end gap-2 max-sm:w-full"
    >
      {usageParams({ ...search, before: undefined, request: undefined }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field label="Request id" className="w-72 max-sm:grow">
        <SearchInput name="request" mono required maxLength={60} defaultValue={request} key={request} />
      </Field>
      <Button type="submit" variant="secondary">
        Find
      </Button>
    </Form>
  )
}

function FoundRequest({ found, search, labels }: { found: LoggedRequest | null } & Omit<RequestLogProps, "log">) {
  const back = (
    <LinkButton href={`${usageHref(search)}#requests`} variant="secondary" size="sm">
      Show all requests
    </LinkButton>
  )
  if (found)
    return (
      <>
        <p role="status">Found 1 request. The range and the filters above do not apply to this search.</p>
        <RequestTable requests={[found]} labels={labels} />
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

/** Returns the number of questions of each type in a request: "1 noul, 2 choice". */
function countQuestions({ charge }: LoggedRequest): string {
  if (!charge) return "–"
  const counts = TYPE_NAMES.flatMap((type) => {
    const count = charge.questionCounts[type]
    return count ? [`${count} ${type}`] : []
  })
  return counts.join(", ")
}

const columnsFor = (labels: RequestLogProps["labels"]): readonly Column<LoggedRequest>[] => [
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
    cell: ({ keyId, keyName, model }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">{labels.get(keyId) ?? keyName}</span>
        <span className="break-all font-mono text-ink-muted text-xs">{model}</span>
      </span>
    ),
  },
  { head: "Questions", cell: (request) => countQuestions(request) },
  { head: "Tokens", align: "right", cell: ({ charge }) => (charge ? formatCount(charge.tokens) : "–") },
  {
    head: "Cost",
    usd: ({ charge }) => charge?.costUsd ?? null,
    none: <span className="text-ink-muted">not charged</span>,
  },
  {
    head: "Result",
    cell: ({ status, code }) => (code ? <Badge tone="warn">{`${status} ${code}`}</Badge> : <Badge>{status}</Badge>),
  },
  { head: "Latency", align: "right", cell: ({ latencyMs }) => formatMs(latencyMs) },
]

interface RequestTableProps extends Pick<RequestLogProps, "labels"> {
  requests: LoggedRequest[]
  empty?: ReactNode
}

/** Lists requests without their content, which is never stored. */
function RequestTable({ requests, labels, empty }: RequestTableProps) {
  return <Table caption="Requests" columns={columnsFor(labels)} rows={requests} rowKey={({ id }) => id} empty={empty} />
}
