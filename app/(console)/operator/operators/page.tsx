import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { requireOperator } from "@/lib/server/auth/operator"
import { listOperators } from "@/lib/server/auth/operators"
import { runtime } from "@/lib/server/platform/runtime"
import { OPERATOR_ROLES, OPERATORS } from "@/lib/shared/accounts/roles"
import { operatorTitle } from "../_components/operator-title"
import { OperatorList } from "./_components/operator-list"

export const generateMetadata = () => operatorTitle("Operators")

export default async function OperatorsPage() {
  const operator = await requireOperator("/operator/operators")
  return (
    <>
      <PageHeader title="Operators">The people who may open this area, and what each of them may do in it.</PageHeader>
      <div className="flex flex-col gap-10">
        <OperatorList operators={await listOperators(runtime(), operator)} />
        <Section id="roles" title="Roles" hint="A changed role applies at once, also to open pages.">
          <dl className="grid max-w-text gap-x-6 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
            {OPERATOR_ROLES.map((role) => (
              <div key={role} className="contents">
                <dt className="font-medium">{OPERATORS[role].label}</dt>
                <dd className="text-ink-muted max-sm:pb-2">{OPERATORS[role].allows}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
    </>
  )
}
