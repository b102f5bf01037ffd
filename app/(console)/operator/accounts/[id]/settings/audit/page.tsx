import { auditView } from "../../../../../settings/audit/_components/audit-view"
import { operatorTitle } from "../../../../_components/operator-title"
import { lookAt } from "../../../_components/look-at"

export const generateMetadata = () => operatorTitle("Audit log of an account")

export default async function AccountAuditlogPage({
  params,
  searchParams,
}: PageProps<"/operator/accounts/[id]/settings/audit">) {
  return auditView(await lookAt("/settings/audit", params), await searchParams)
}
