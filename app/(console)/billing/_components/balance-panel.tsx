import { Money } from "@/components/ui/money"
import type { Balance } from "@/lib/server/billing/balance"

/** Shows the balance, and the part reserved for requests in progress. The banner above every page says why it is below zero. */
export function BalancePanel({ balance: { balanceUsd, heldUsd } }: { balance: Balance }) {
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
    </section>
  )
}
