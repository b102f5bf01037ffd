import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import type { Balance, Debt, DebtPart } from "@/lib/server/billing/balance"
import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"

const REASONS: Record<DebtPart["kind"], string> = {
  debit: "debited by the operator",
  refund: "for a refunded top-up",
  dispute: "for a payment that is disputed with the bank",
}

interface BalancePanelProps {
  balance: Balance
  /** Null while the balance is not below zero, and for members who may not see the reason. */
  debt: Debt | null
  mayPay: boolean
}

/** Shows the balance, the part reserved for requests in progress, and why the balance is below zero. */
export function BalancePanel({ balance, debt, mayPay }: BalancePanelProps) {
  const { balanceUsd, heldUsd } = balance
  return (
    <section aria-label="Balance" className="flex flex-col gap-4">
      <dl className="flex flex-wrap gap-x-12 gap-y-4">
        <div className="flex flex-col">
          <dt className="text-ink-muted text-sm">Balance</dt>
          <dd className="font-semibold text-xl">
            <Money as="balance" usd={balanceUsd} />
          </dd>
        </div>
        <div className="flex flex-col">
          <dt className="text-ink-muted text-sm">Reserved for requests in progress</dt>
          <dd className="text-xl">
            <Money usd={heldUsd} />
          </dd>
        </div>
      </dl>
      <p className="max-w-prose text-ink-muted text-sm">
        Each request reserves its maximum cost. When it is answered, you are charged the actual cost and the rest is
        released. A request that fails costs nothing.
      </p>
      {balanceUsd.startsWith("-") ? <BelowZero debt={debt} mayPay={mayPay} /> : null}
    </section>
  )
}

function BelowZero({ debt, mayPay }: Omit<BalancePanelProps, "balance">) {
  const topUp =
    mayPay && debt?.smallestTopupUsd ? (
      <LinkButton href={`/billing/top-up?amount=${debt.smallestTopupUsd}`} variant="secondary" size="sm">
        Top up
      </LinkButton>
    ) : null
  return (
    <Alert tone="danger" title="The balance is below zero" action={topUp} className="max-w-text">
      {debt && debt.parts.length > 0 ? (
        <>
          <p>Deducted since credit was last added:</p>
          <ul className="list-disc py-1 pl-5">
            {debt.parts.map(({ kind, amountUsd }) => (
              <li key={kind}>
                <Money usd={amountUsd} /> {REASONS[kind]}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {debt?.parts.length === 0 ? <p>A request may cost up to $0.01 more than the balance that was left.</p> : null}
      <p>
        Requests are refused with <code className="font-mono text-sm">insufficient_balance</code> until the balance is
        above zero.{mayPay ? null : ` ${ASK_FOR_CREDIT}`}
      </p>
    </Alert>
  )
}
