import { Alert } from "@/components/ui/alert"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import type { Balance, Debt, DebtPart } from "@/lib/server/billing/balance"

const TAKEN: Record<DebtPart["kind"], string> = {
  debit: "debited by the operator",
  refund: "for a refund of a top-up",
  dispute: "for a payment that is disputed at its bank",
}

interface BalancePanelProps {
  balance: Balance
  /** Null when the balance is not below zero, or only an owner may know why. */
  debt: Debt | null
}

/** The balance, what is set aside of it right now, and why it may be below zero. */
export function BalancePanel({ balance, debt }: BalancePanelProps) {
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
      {balanceUsd.startsWith("-") ? <BelowZero debt={debt} /> : null}
    </section>
  )
}

function BelowZero({ debt }: { debt: Debt | null }) {
  const topUp = debt?.enoughUsd ? (
    <LinkButton href={`/billing/top-up?amount=${debt.enoughUsd}`} variant="secondary" size="sm">
      Top up
    </LinkButton>
  ) : null
  return (
    <Alert tone="danger" title="The balance is below zero" action={topUp} className="max-w-text">
      {debt && debt.parts.length > 0 ? (
        <>
          <p>Taken off since credit was last added:</p>
          <ul className="list-disc py-1 pl-5">
            {debt.parts.map(({ kind, amountUsd }) => (
              <li key={kind}>
                <Money usd={amountUsd} /> {TAKEN[kind]}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {debt?.parts.length === 0 ? <p>A request may cost up to $0.01 more than what was left.</p> : null}
      <p>
        Decisions are refused with <code className="font-mono text-sm">insufficient_balance</code> until it is above
        zero.
      </p>
    </Alert>
  )
}
