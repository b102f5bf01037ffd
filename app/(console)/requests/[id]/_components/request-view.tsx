import type { ReactNode } from "react"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { findKey } from "@/lib/server/keys/read-keys"
import type { AccountReader } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findDetails } from "@/lib/server/usage/request-details"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { RequestError } from "./request-error"
import { RequestFacts } from "./request-facts"
import { RequestLimits } from "./request-limits"
import { RequestStages } from "./request-stages"
import { ResponseHeaders } from "./response-headers"

/** Renders what is stored of a request of the actor's account. */
export async function requestView(actor: AccountReader, request: LoggedRequest): Promise<ReactNode> {
  const [key, details] = await Promise.all([
    findKey(runtime(), actor, request.keyId),
    findDetails(runtime(), actor, { id: request.id }),
  ])
  return (
    <>
      <PageHeader back={<BackLink href="/requests">Requests</BackLink>} title="Request">
        What the service knows of this request. Its content is never stored: not the state, the questions or the
        answers.
      </PageHeader>
      <div className="flex flex-col gap-8">
        <RequestFacts request={request} apiKey={key} details={details} />
        {request.code ? <RequestError code={request.code} status={request.status} /> : null}
        {details?.limits ? <RequestLimits limits={details.limits} /> : null}
        {details ? <RequestStages stagesMs={details.stagesMs} /> : null}
        <ResponseHeaders request={request} limits={details?.limits ?? null} isOfApi={key?.kind === "secret"} />
      </div>
    </>
  )
}
