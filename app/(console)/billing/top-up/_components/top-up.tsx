import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { buttonClass } from "@/components/ui/button"
import { Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import { explainDebt, getBalance } from "@/lib/server/billing/balance"
import { listTopups, type Topup } from "@/lib/server/billing/topup"
import { topupTerms } from "@/lib/server/billing/topup-terms"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { refusalOf } from "@/lib/shared/accounts/roles"
import { TestPayments, TopUpsOff } from "../../_components/top-up-notices"
import { AmountForm } from "./amount-form"

const defaultAmount = (presets: string[]): string => (presets.includes("25") ? "25" : (presets[0] ?? ""))

interface TopUpProps {
  actor: UserActor
  /** The amount to start with, in dollars; null for the default. */
  amountUsd: string | null
}

/** Shows the balance, unfinished checkouts and the form for an amount, or why this user cannot top up. */
export async function TopUp({ actor, amountUsd }: TopUpProps) {
  const terms = topupTerms(runtime())
  const mayPay = hasRight(actor, "billing.pay")
  const [{ balanceUsd }, topups] = await Promise.all([
    getBalance(runtime(), actor),
    mayPay ? listTopups(runtime(), actor) : [],
  ])
  // A balance below zero starts with what makes it positive, as the banner's link does on other pages.
  const debt = mayPay ? await explainDebt(runtime(), actor, balanceUsd) : null
  const startUsd = amountUsd ?? debt?.smallestTopupUsd ?? defaultAmount(terms.presets)
  return (
    <>
      <p className="mb-6">
        Balance <Money as="balance" usd={balanceUsd} className="font-medium" />
      </p>
      <div className="flex flex-col gap-6">
        {terms.isTestDouble ? <TestPayments /> : null}
        {terms.enabled && mayPay ? (
          <>
            <OpenCheckouts topups={topups} />
            <AmountForm amountUsd={startUsd} terms={terms} />
            <p className="max-w-text text-ink-muted text-sm">
              You pay at Stripe, by card or another method that Stripe offers. You can enter a tax ID there. The credit
              is available once the payment is confirmed, and it does not expire. Your receipt then appears under{" "}
              <TextLink href="/billing">Billing</TextLink>. To get a refund, ask <Support />.
            </p>
          </>
        ) : null}
        {terms.enabled && !mayPay ? (
          <Alert title="Your role does not include top-ups">{refusalOf("billing.pay")}</Alert>
        ) : null}
        {terms.enabled ? null : <TopUpsOff />}
      </div>
    </>
  )
}

/** Lists unpaid checkouts. Each can be resumed until an hour after its start. */
function OpenCheckouts({ topups }: { topups: Topup[] }) {
  return topups
    .filter(({ checkoutUrl }) => checkoutUrl !== null)
    .map(({ id, at, creditUsd, checkoutUrl }) => (
      <Alert
        key={id}
        className="max-w-text"
        title="You have an unfinished checkout"
        action={
          <a href={checkoutUrl ?? ""} className={buttonClass("secondary", "sm")}>
            Resume checkout
          </a>
        }
      >
        <Money usd={creditUsd} />, started <Time at={at} />. You have not paid yet.
      </Alert>
    ))
}
