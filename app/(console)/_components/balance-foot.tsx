import { Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"

interface BalanceFootProps {
  balanceUsd: string
  onNavigate?: () => void
}

/** The prepaid balance and where it is topped up. */
export function BalanceFoot({ balanceUsd, onNavigate }: BalanceFootProps) {
  return (
    <div className="flex items-end justify-between gap-2 border-line border-t pt-3">
      <p className="flex min-w-0 flex-col">
        <span className="text-ink-muted text-sm">Balance</span>
        <Money usd={balanceUsd} className="truncate font-medium" />
      </p>
      <TextLink href="/billing/top-up" onClick={onNavigate} alone className="shrink-0 py-1">
        Top up
      </TextLink>
    </div>
  )
}
