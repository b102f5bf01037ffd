import { Alert } from "@/components/ui/alert"
import { Money } from "@/components/ui/money"
import type { Balance } from "@/lib/billing/get-balance"

/** The balance, what is set aside of it right now, and why it may be below zero. */
export function BalancePanel({ balance }: { balance: Balance }) {
  const { balanceUsd, heldUsd } = balance
  return (
    <section aria-label="Balance" className="flex flex-col gap-4">
      <dl className="flex flex-wrap gap-x-12 gap-y-4">
        <div className="flex flex-col">
          <dt className="text-ink-muted text-sm">Balance</dt>
          <dd className="font-semibold text-xl">
            <Money usd={balanceUsd} />
          </dd>
        </div>
        <div className="flex flex-col">
          <dt className="text-ink-muted text-sm">Set aside for requests in flight</dt>
          <dd className="text-xl">
            <Money usd={heldUsd} />
          </dd>
        </div>
      </dl>
      <p className="max-w-prose text-ink-muted text-sm">
        Each request sets aside the most it can cost. When it is answered its real cost is charged and the rest is free
        again; when it fails, all of it is.
      </p>
      {balanceUsd.startsWith("-") ? (
        <Alert tone="danger" title="The balance is below zero">
          A request may cost up to $0.01 more than what was left, and debits, refunds and disputes are taken off at
          once. Decisions are refused with insufficient_balance until the balance is above zero.
        </Alert>
      ) : null}
    </section>
  )
}
