import { requestsView } from "../../../../requests/_components/requests-view"
import { accountBase, lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Requests of an account")

export default async function AccountRequestsPage({
  params,
  searchParams,
}: PageProps<"/operator/accounts/[id]/requests">) {
  const actor = await lookAt("/requests", params)
  return requestsView(actor, await searchParams, accountBase((await params).id))
}
