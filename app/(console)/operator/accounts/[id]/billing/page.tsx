import { billingView } from "../../../../billing/_components/billing-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Billing of an account")

export default async function AccountBillingPage({
  params,
  searchParams,
}: PageProps<"/operator/accounts/[id]/billing">) {
  return billingView(await lookAt("/billing", params), await searchParams)
}
