import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { statementView } from "../../../../../billing/statement/_components/statement-view"
import { lookAt } from "../../../../_components/look-at"
import { operatorTitle } from "../../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Statement of an account")

/** An invalid month shows the current one. */
export default async function AccountStatementPage({
  params,
  searchParams,
}: PageProps<"/operator/accounts/[id]/billing/statement">) {
  const month = parseMonth((await searchParams).month) ?? monthOf(new Date())
  return statementView(await lookAt("/billing/statement", params), month)
}
