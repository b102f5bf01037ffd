import { budgetsView } from "../../../../budgets/_components/budgets-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Budgets of an account")

export default async function AccountBudgetsPage({ params }: PageProps<"/operator/accounts/[id]/budgets">) {
  return budgetsView(await lookAt("/budgets", params))
}
