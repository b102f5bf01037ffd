import { PageHeader } from "@/components/ui/page-header"
import { listAllowances } from "@/lib/server/accounts/allowance-rules"
import { requireOperator } from "@/lib/server/auth/operator"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorTitle } from "../_components/operator-title"
import { AllowanceList } from "./_components/allowance-list"

export const generateMetadata = () => operatorTitle("Allowances")

export default async function AllowancesPage() {
  const operator = await requireOperator("/operator/allowances")
  return (
    <>
      <PageHeader title="Allowances">
        Amounts that the service credits each month, in UTC, once to each account. New accounts and members get theirs
        within a minute.
      </PageHeader>
      <AllowanceList
        allowances={await listAllowances(runtime(), operator)}
        mayChange={hasRight(operator, "service.finance")}
      />
    </>
  )
}
