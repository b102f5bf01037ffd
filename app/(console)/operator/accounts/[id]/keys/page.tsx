import { keysView } from "../../../../keys/_components/keys-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("API keys of an account")

export default async function AccountKeysPage({ params, searchParams }: PageProps<"/operator/accounts/[id]/keys">) {
  return keysView(await lookAt("/keys", params), await searchParams)
}
