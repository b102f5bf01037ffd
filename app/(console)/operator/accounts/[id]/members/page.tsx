import { membersView } from "../../../../members/_components/members-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Members of an account")

export default async function AccountMembersPage({ params }: PageProps<"/operator/accounts/[id]/members">) {
  return membersView(await lookAt("/members", params))
}
