import { notFound } from "next/navigation"
import { findKey } from "@/lib/server/keys/read-keys"
import { runtime } from "@/lib/server/platform/runtime"
import { keyView } from "../../../../../keys/[id]/_components/key-view"
import { lookAt } from "../../../../_components/look-at"
import { operatorTitle } from "../../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Key of an account")

export default async function AccountKeyPage({ params }: PageProps<"/operator/accounts/[id]/keys/[key]">) {
  const { key: id } = await params
  const actor = await lookAt("/keys/[id]", params, id)
  return keyView(actor, (await findKey(runtime(), actor, id)) ?? notFound())
}
