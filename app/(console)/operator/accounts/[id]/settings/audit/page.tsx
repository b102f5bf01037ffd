import { PageHeader } from "@/components/ui/page-header"
import { auditView } from "../../../../../settings/audit/_components/audit-view"
import { lookAt } from "../../../../_components/look-at"
import { operatorTitle } from "../../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Audit log of an account")

export default async function AccountAuditlogPage({
  params,
  searchParams,
}: PageProps<"/operator/accounts/[id]/settings/audit">) {
  const actor = await lookAt("/settings/audit", params)
  return (
    <>
      <PageHeader title="Audit log">
        Sign-ins, and changes to this account, its members, keys and billing. Views by operators are entries too.
      </PageHeader>
      {await auditView(actor, await searchParams)}
    </>
  )
}
