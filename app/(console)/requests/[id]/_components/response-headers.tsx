import { Section } from "@/components/ui/section"
import type { LoggedRequest } from "@/lib/server/usage/request-row"

interface ResponseHeadersProps {
  request: LoggedRequest
  /** Whether the request was sent to the API, not from the console. */
  isOfApi: boolean
}

/** Returns the headers that follow from what is stored of a request. A client that left got none. */
function headersOf({ id, code, charge }: LoggedRequest, isOfApi: boolean): [string, string][] {
  if (code === "client_gone") return []
  return [
    ["content-type", "application/json"],
    ["x-request-id", id],
    ...(isOfApi ? [["x-typesafe-request-id", id] satisfies [string, string]] : []),
    ...(charge ? [["x-svc-cost-usd", charge.costUsd] satisfies [string, string]] : []),
  ]
}

/** Lists the headers of the response that can be derived from what is stored. */
export function ResponseHeaders({ request, isOfApi }: ResponseHeadersProps) {
  const headers = headersOf(request, isOfApi)
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
