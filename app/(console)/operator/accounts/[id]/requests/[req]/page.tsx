import { notFound } from "next/navigation"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { requestView } from "../../../../../requests/[id]/_components/request-view"
import { lookAt } from "../../../../_components/look-at"
import { operatorTitle } from "../../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Request of an account")

export default async function AccountRequestPage({ params }: PageProps<"/operator/accounts/[id]/requests/[req]">) {
  const { req: id } = await params
  const actor = await lookAt("/requests/[id]", params, id)
  return requestView(actor, (await findRequest(runtime(), actor, { id })) ?? notFound())
}
