import type { Metadata } from "next"
import { notFound, redirect } from "next/navigation"
import { openPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { findAccountOfRequest, findRequest } from "@/lib/server/usage/find-request"
import { requestView } from "./_components/request-view"

export const metadata: Metadata = { title: "Request" }

export default async function RequestPage({ params }: PageProps<"/requests/[id]">) {
  const { id } = await params
  const actor = await requireSession("/requests/[id]", `/requests/${id}`)
  return requestView(actor, (await findRequest(runtime(), actor, { id })) ?? (await openOtherAccount(actor, id)))
}

/** Redirects to the page that offers to switch when the request is of another account of the user. Otherwise responds with 404. */
async function openOtherAccount(actor: UserActor, id: string): Promise<never> {
  const accountId = await findAccountOfRequest(runtime(), actor, { id })
  return accountId ? redirect(openPath(accountId, `/requests/${id}`)) : notFound()
}
