import { Alert } from "@/components/ui/alert"
import { EmptyState } from "@/components/ui/empty-state"
import { Fact, Facts } from "@/components/ui/fact"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { Paging } from "@/components/ui/paging"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { requireOperator } from "@/lib/server/auth/operator"
import { listPayments } from "@/lib/server/billing/list-payments"
import { getPaymentTotals, type PaymentTotals } from "@/lib/server/billing/payment-totals"
import { hasRight } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf } from "@/lib/shared/format"
import { PaymentsView } from "@/lib/shared/operator/search"
import { viewHref } from "@/lib/shared/view-href"
import { AccountScope } from "../_components/account-scope"
import { lookAtListOf } from "../_components/look-at"
import { operatorTitle } from "../_components/operator-title"
import { type ShowLink, ShowLinks } from "../_components/show-links"
import { PaymentList } from "./_components/payment-list"
import { ReconcileButton } from "./_components/reconcile-button"

export const generateMetadata = () => operatorTitle("Payments")

const PATH = "/operator/payments"

const LINKS: readonly ShowLink<PaymentsView["show"]>[] = [
  { show: "all", label: "All" },
  { show: "waiting", label: "Not ended" },
  { show: "attention", label: "Need attention" },
  { show: "paid", label: "Paid" },
  { show: "refunded", label: "Refunded" },
  { show: "disputed", label: "Disputed" },
  { show: "failed", label: "Failed or expired" },
]

export default async function PaymentsPage({ searchParams }: PageProps<"/operator/payments">) {
  const operator = await requireOperator(PATH)
  const view = PaymentsView.parse(await searchParams)
  const accountId = parsePublicId("acc", view.account)
  if (accountId) await lookAtListOf(view.account, operator, PATH)
  const shown = accountId ? view : { ...view, account: "" }
  const [{ payments, next }, totals] = await Promise.all([
    listPayments(runtime(), operator, { accountId, show: view.show, after: view.after }),
    getPaymentTotals(runtime(), operator),
  ])
  const maySettle = totals.enabled && hasRight(operator, "service.finance")
  return (
    <>
      <PageHeader title="Payments" action={maySettle ? <ReconcileButton /> : null}>
        Top-ups with their refunds and disputes, and whether they agree with Stripe and with the ledger.
      </PageHeader>
      <div className="flex flex-col gap-4">
        <Reconciliation totals={totals} />
        <ShowLinks label="Filter payments" path={PATH} view={shown} links={LINKS} />
        {accountId ? (
          <AccountScope of="payments" account={view.account} all={viewHref(PATH, { show: view.show })} />
        ) : null}
        <PaymentList
          payments={payments}
          maySettle={maySettle}
          empty={
            <EmptyState title="No payments">
              {totals.enabled || view.show !== "all"
                ? "Top-ups of this kind appear here as soon as an account starts one."
                : "Top-ups are off. Set STRIPE_SECRET_KEY so that accounts can buy credit, or add credit to an account yourself."}
            </EmptyState>
          }
        />
        <Paging of="payments" page={view.after} next={next} hrefOf={(after) => viewHref(PATH, { ...shown, after })} />
      </div>
    </>
  )
}

/** Ids that an alert names. More would push the list of payments off the page. */
const SHOWN = 5

function Reconciliation({ totals }: { totals: PaymentTotals }) {
  const { enabled, livemode, overdue, attention, disputed, differing, eventsReadUntil, failedEvents } = totals
  return (
    <div className="flex flex-col gap-4">
      {differing.length > 0 ? (
        <Alert tone="danger" title="Payments differ from the ledger">
          The ledger has other amounts than these top-ups:{" "}
          <span className="break-all font-mono text-sm">{differing.slice(0, SHOWN).join(", ")}</span>
          {differing.length > SHOWN ? ` and ${countOf(differing.length - SHOWN, "other")}` : ""}. Check them with
          Stripe. If they still differ, do not refund them before you know why.
        </Alert>
      ) : null}
      {attention > 0 ? (
        <Alert
          tone="warn"
          title={`${countOf(attention, "completed checkout")} ${attention === 1 ? "needs" : "need"} attention`}
          action={
            <TextLink href={viewHref(PATH, { show: "attention" })} alone>
              Show
            </TextLink>
          }
        >
          Stripe reports another payment than the top-up asked for, or none. Nothing was credited. Look it up in
          Stripe’s dashboard. Then settle it with the credit that is due, or refund it there and end it here.
        </Alert>
      ) : null}
      {overdue > 0 ? (
        <Alert tone="warn" title={`${countOf(overdue, "top-up")} ${overdue === 1 ? "waits" : "wait"} for Stripe`}>
          Stripe was not asked about them for two hours. Check that a server with a Stripe key runs.
        </Alert>
      ) : null}
      {failedEvents.length > 0 ? (
        <Alert tone="warn" title={`${countOf(failedEvents.length, "event")} of Stripe could not be settled`}>
          A refund, a dispute or a removed card may be missing. Each event is retried for 24 hours and then given up.
          The log has the cause. To retry all of them now, check with Stripe.
          <ul className="pt-2">
            {failedEvents.slice(0, SHOWN).map(({ id, type, failedAt, attempts, nextAt }) => (
              <li key={id} className="break-all">
                <span className="font-mono text-sm">{id}</span> ({type}), since <Time at={failedAt} />:{" "}
                {nextAt ? `retried ${countOf(attempts, "time")}` : "given up"}
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <Facts label="Last 30 days">
        <Fact label="Paid in 30 days" hint="Including tax">
          <Money usd={totals.paidUsd} />
        </Fact>
        <Fact label="Refunded credit" hint="Of top-ups of 30 days">
          <Money usd={totals.refundedUsd} />
        </Fact>
        <Fact label="Disputed credit" hint={`${countOf(disputed, "top-up")}, ever`}>
          <Money usd={totals.disputedUsd} />
        </Fact>
        <Fact
          label="Stripe"
          hint={
            eventsReadUntil ? (
              <>
                Events read <Time at={eventsReadUntil} />
              </>
            ) : (
              "No events read yet"
            )
          }
        >
          {enabled ? (livemode ? "Live mode" : "Test mode: no real money") : "Off"}
        </Fact>
      </Facts>
    </div>
  )
}
