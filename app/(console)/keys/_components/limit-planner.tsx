import { planLimit, type SpendSample } from "@/lib/shared/keys/plan-limit"

interface LimitPlannerProps {
  amountUsd: string
  period: "daily" | "lifetime"
  sample: SpendSample
}

/** What the typed limit comes to. Its room is kept, so that nothing moves while somebody types. */
export function LimitPlanner({ amountUsd, period, sample }: LimitPlannerProps) {
  return (
    <p aria-live="polite" className="min-h-10 rounded-md bg-sunken px-3 py-2.5 text-sm">
      {planLimit(amountUsd, period, sample) ?? (
        <span className="text-ink-muted">Enter an amount to see how far it goes.</span>
      )}
    </p>
  )
}
