import { statementsView } from "../../../../../billing/statements/_components/statements-view"
import { lookAt } from "../../../../_components/look-at"
import { operatorTitle } from "../../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Statements of an account")

export default async function AccountStatementsPage({
  params,
}: PageProps<"/operator/accounts/[id]/billing/statements">) {
  return statementsView(await lookAt("/billing/statements", params))
}
