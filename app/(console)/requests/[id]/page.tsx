import type { Metadata } from "next"
import { notFound, redirect } from "next/navigation"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { openPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { findKey } from "@/lib/server/keys/read-keys"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findAccountOfRequest, findRequest } from "@/lib/server/usage/find-request"
import { findDetails } from "@/lib/server/usage/request-details"
import { RequestError } from "./_components/request-error"
import { RequestFacts } from "./_components/request-facts"
import { RequestLimits } from "./_components/request-limits"
import { RequestStages } from "./_components/request-stages"
import { ResponseHeaders } from "./_components/response-headers"

export const metadata: Metadata = { title: "Request" }

export default async function RequestPage({ params }: PageProps<"/requests/[id]">) {
  const { id } = await params
  const actor = await requireSession("/requests/[id]", `/requests/${id}`)
  const request = (await findRequest(runtime(), actor, { id })) ?? (await openOtherAccount(actor, id))
  const [key, details] = await Promise.all([
    findKey(runtime(), actor, request.keyId),
    findDetails(runtime(), actor, { id }),
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

/** Redirects to the page that offers to switch when the request is of another account of the user. Otherwise responds with 404. */
async function openOtherAccount(actor: UserActor, id: string): Promise<never> {
  const accountId = await findAccountOfRequest(runtime(), actor, { id })
  return accountId ? redirect(openPath(accountId, `/requests/${id}`)) : notFound()
}
