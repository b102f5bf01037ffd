import { keysView } from "../../../../keys/_components/keys-view"
import { operatorTitle } from "../../../_components/operator-title"
import { lookAt } from "../../_components/look-at"

export const generateMetadata = () => operatorTitle("API keys of an account")

export default async function AccountKeysPage({ params, searchParams }: PageProps<"/operator/accounts/[id]/keys">) {
  return keysView(await lookAt("/keys", params), await searchParams)
}
