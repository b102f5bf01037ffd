import { Section } from "@/components/ui/section"
import type { StoredLimits } from "@/lib/server/usage/request-details"
import type { LoggedRequest } from "@/lib/server/usage/request-row"

interface ResponseHeadersProps {
  request: LoggedRequest
  limits: StoredLimits | null
  /** Whether the request was sent to the API, not from the console. */
  isOfApi: boolean
}

/** Returns the headers that follow from what is stored of a request. A client that left got none. */
function headersOf({ request, limits, isOfApi }: ResponseHeadersProps): [string, string][] {
  const { id, code, charge } = request
  if (code === "client_gone") return []
  const { rate, retryAfterSeconds } = limits ?? { rate: null, retryAfterSeconds: null }
  return [
    ["content-type", "application/json"],
    ["x-request-id", id],
    ...(isOfApi ? [["x-typesafe-request-id", id] satisfies [string, string]] : []),
    ...(charge ? [["x-svc-cost-usd", charge.costUsd] satisfies [string, string]] : []),
    ...(rate ? rateHeaders(rate) : []),
    ...(retryAfterSeconds === null ? [] : [["retry-after", String(retryAfterSeconds)] satisfies [string, string]]),
  ]
}

const rateHeaders = (rate: NonNullable<StoredLimits["rate"]>): [string, string][] => [
  ["x-ratelimit-limit", String(rate.limit)],
  ["x-ratelimit-remaining", String(rate.remaining)],
  ["x-ratelimit-used", String(rate.counted)],
  ["x-ratelimit-reset", String(rate.resetSeconds)],
]

/** Lists the headers of the response that can be derived from what is stored. */
export function ResponseHeaders(props: ResponseHeadersProps) {
  const headers = headersOf(props)
  if (headers.length === 0) return null
  return (
    <Section id="headers" title="Response headers" hint="Those that can be derived. Headers themselves are not stored.">
      <dl className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2 font-mono text-sm">
        {headers.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-ink-muted">{name}:</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
