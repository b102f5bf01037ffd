import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { findRequest } from "@/lib/server/usage/find-request"
import { listRequests } from "@/lib/server/usage/list-requests"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import { formatExactTime } from "@/lib/shared/format"
import { RequestTable } from "./request-table"

interface RequestLogProps {
  actor: UserActor
  search: UsageSearch
}

/** The one request that was searched for. */
async function FoundRequest({ actor, search, id }: RequestLogProps & { id: string }) {
  const found = await findRequest(actor, { id })
  const back = (
    <LinkButton href={`${usageHref(search)}#requests`} variant="secondary" size="sm">
      Back to all requests
    </LinkButton>
  )
  if (found)
    return (
      <>
        <p role="status">Found 1 request. The range and filters above do not apply to it.</p>
        <RequestTable requests={[found]} />
        <div>{back}</div>
      </>
    )
  return (
    <EmptyState title="No request has this id" action={back}>
      It is the x-request-id of a response, such as req_0123456789abcdefghjkmnpqrs. Requests whose key was not accepted
      are in no account's log.
    </EmptyState>
  )
}

/** A page of the log: answered requests as they were charged, and all others, newest first. */
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
          title={search.before ? "No older requests" : "No requests here"}
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
          {isNarrowed
            ? "Nothing in this range matches the filters."
            : "Requests appear here within a second, newest first."}
        </EmptyState>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-muted text-sm">As of {formatExactTime(new Date(asOf))}. Times are UTC.</p>
        <nav aria-label="Pages of requests" className="flex gap-2">
          {search.before ? (
            <LinkButton href={`${usageHref(search)}#requests`} variant="secondary" size="sm">
              Newest
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
