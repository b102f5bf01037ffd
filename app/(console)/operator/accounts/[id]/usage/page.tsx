import { usageView } from "../../../../usage/_components/usage-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Usage of an account")

export default async function AccountUsagePage({ params, searchParams }: PageProps<"/operator/accounts/[id]/usage">) {
  return usageView(await lookAt("/usage", params), await searchParams)
}
