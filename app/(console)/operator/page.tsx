import { Link } from "@/components/link/link"
import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { Section } from "@/components/ui/section"
import { getAccountTotals } from "@/lib/server/accounts/account-totals"
import { requireOperator } from "@/lib/server/auth/operator"
import { getPaymentTotals } from "@/lib/server/billing/payment-totals"
import { getHealth } from "@/lib/server/health/get-health"
import { type Concern, listConcerns } from "@/lib/server/health/list-concerns"
import { listLedgerChecks } from "@/lib/server/ledger/check-runs"
import { listModels } from "@/lib/server/models/list-models"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { LedgerChecks } from "./_components/ledger-checks"
import { operatorTitle } from "./_components/operator-title"

export const generateMetadata = () => operatorTitle("Operator")

export default async function OperatorPage() {
  const operator = await requireOperator("/operator")
  const [health, accounts, payments, checks, models] = await Promise.all([
    getHealth(runtime(), operator),
    getAccountTotals(runtime(), operator),
    getPaymentTotals(runtime(), operator),
    listLedgerChecks(runtime(), operator),
    listModels(runtime(), operator),
  ])
  return (
    <>
      <PageHeader title="Overview">What needs your attention now, and whether the ledger adds up.</PageHeader>
      <div className="flex flex-col gap-10">
        <Concerns concerns={listConcerns({ health, accounts, payments, checks, models })} />
        <LedgerChecks checks={checks} mayVerify={hasRight(operator, "service.finance")} />
      </div>
    </>
  )
}

function Concerns({ concerns }: { concerns: Concern[] }) {
  return (
    <Section id="concerns" title="Needs attention">
      {concerns.length > 0 ? (
        <ul className="flex flex-col gap-2">
          {concerns.map(({ tone, title, text, href }) => (
            <li key={title}>
              <Alert
                tone={tone}
                title={title}
                action={
                  href === "/operator" ? null : (
                    <LinkButton href={href} variant="secondary" size="sm" aria-label={`Open: ${title}`}>
                      Open
                    </LinkButton>
                  )
                }
              >
                {text}
              </Alert>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-muted">
          Nothing needs your attention. <Link href="/operator/health">Health</Link> has the details.
        </p>
      )}
    </Section>
  )
}
