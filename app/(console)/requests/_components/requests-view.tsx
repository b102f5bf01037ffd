import { redirect } from "next/navigation"
import type { ReactNode } from "react"
import { buttonClass } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { Paging } from "@/components/ui/paging"
import { downloadPath } from "@/lib/server/auth/return-path"
import { listKeys } from "@/lib/server/keys/read-keys"
import type { AccountReader } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { type LoggedRequests, listRequests } from "@/lib/server/usage/list-requests"
import { NO_FILTERS, parseRequestsSearch, requestsHref } from "@/lib/server/usage/requests-search"
import { FindRequestInput, type RequestsInput } from "@/lib/server/usage/schema"
import type { SearchParams } from "@/lib/server/usage/search"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { formatExactTime } from "@/lib/shared/format"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { TYPE_NAMES } from "@/questions/question-types"
import { RangeBar } from "../../_components/range-bar"
import { RESULT_OPTIONS } from "../../_components/result-options"
import { type Choices, FilterBar } from "./filter-bar"
import { filtersOf } from "./filters"
import { FindRequest } from "./find-request"
import { RequestTable } from "./request-table"

/** Renders the log of the actor's account. A request that is searched for opens below `base`. */
export async function requestsView(actor: AccountReader, params: SearchParams, base = ""): Promise<ReactNode> {
  const search = parseRequestsSearch(params)
  if (params.request !== undefined)
    return <NotFound id={await openFound(actor, params.request, base)} search={search} />
  const [keys, log] = await Promise.all([listKeys(runtime(), actor), listRequests(runtime(), actor, search)])
  const labels = labelKeys(keys)
  const choices: Choices = {
    key: [...labels].map(([value, label]) => ({ value, label })),
    model: runtime()
      .catalogue.pinned()
      .map(({ id }) => id),
    result: RESULT_OPTIONS,
    type: TYPE_NAMES,
  }
  return (
    <>
      <PageHeader
        title="Requests"
        action={actor.type === "user" ? <Exports search={search} accountId={actor.accountId} /> : null}
      >
        Every request of the account, newest first. The content of requests is never stored. Times are in UTC. In the
        CSV file, {CSV_ESCAPES}.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <RangeBar range={search.range} hrefOf={(days) => requestsHref(search, { range: { days } })} />
          <FindRequest />
        </div>
        <FilterBar shown={filtersOf(search)} choices={choices} />
        <Log log={log} search={search} labels={labels} />
      </div>
    </>
  )
}

/** Redirects to the page of the request with an id. Returns the id, cut to the length of one, if the account has no such request. */
async function openFound(actor: AccountReader, sent: string | string[], base: string): Promise<string> {
  const input = FindRequestInput.safeParse({ id: sent })
  const found = input.success ? await findRequest(runtime(), actor, input.data) : null
  if (found) redirect(`${base}/requests/${found.id}`)
  return input.success ? input.data.id : ""
}

function NotFound({ id, search }: { id: string; search: RequestsInput }) {
  return (
    <>
      <PageHeader title="Requests">
        Every request of the account, newest first. Their content is never stored.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <FindRequest id={id} />
        <EmptyState
          title="No request has this id"
          action={
            <LinkButton href={requestsHref(search)} variant="secondary">
              Show all requests
            </LinkButton>
          }
        >
          Check the id. It is in the x-request-id header of a response, such as req_0123456789abcdefghjkmnpqrs. Requests
          with an invalid key are not logged.
        </EmptyState>
      </div>
    </>
  )
}

function Exports({ search, accountId }: { search: RequestsInput; accountId: string }) {
  const file = (name: string) => downloadPath(accountId, requestsHref(search, {}, `/requests/export.${name}`))
  return (
    <div className="flex flex-wrap gap-2">
      {["CSV", "JSONL"].map((format) => (
        <a key={format} href={file(format.toLowerCase())} className={buttonClass("secondary")}>
          Export {format}
        </a>
      ))}
    </div>
  )
}

interface LogProps {
  log: LoggedRequests
  search: RequestsInput
  /** Key names by key id, unique within the account. */
  labels: ReadonlyMap<string, string>
}

function Log({ log, search, labels }: LogProps) {
  const { requests, next, searchedTo } = log
  return (
    <section aria-label="Log" className="flex flex-col gap-4">
      <RequestTable
        requests={requests}
        labels={labels}
        empty={<NoRequests search={search} searchedTo={searchedTo} />}
      />
      {searchedTo && requests.length > 0 ? (
        <p role="status" className="text-ink-muted">
          {searchedText(searchedTo)}
        </p>
      ) : null}
      <Paging
        of="requests"
        page={search.before ?? null}
        next={next}
        hrefOf={(page) => requestsHref(search, { before: page ?? undefined })}
      />
    </section>
  )
}

const searchedText = (searchedTo: string): string =>
  `Searched back to ${formatExactTime(new Date(searchedTo))}. “Older requests” continues the search.`

function NoRequests({ search, searchedTo }: { search: RequestsInput; searchedTo: string | null }) {
  const isNarrowed = Object.keys(NO_FILTERS).some((name) => search[name as keyof typeof NO_FILTERS] !== undefined)
  if (searchedTo) return <EmptyState title="No match so far">{searchedText(searchedTo)}</EmptyState>
  if (search.before) return <EmptyState title="No older requests">This is the end of the range.</EmptyState>
  const all = (
    <LinkButton href={requestsHref(search, NO_FILTERS)} variant="secondary">
      Show all requests
    </LinkButton>
  )
  return (
    <EmptyState title="No requests found" action={isNarrowed ? all : null}>
      {isNarrowed
        ? "No request in this range matches the filters."
        : "No request in this range. Requests appear here within a second."}
    </EmptyState>
  )
}
