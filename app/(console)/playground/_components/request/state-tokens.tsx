"use client"
import { Meter } from "@/components/ui/meter"
import { formatCount } from "@/lib/shared/format"
import { useRunCost } from "./cost-context"

/** The state's tokens as the model counts them, and how much of its input limit is used. */
export function StateTokens() {
  const { cost } = useRunCost()
  if (!cost) return <p className="text-ink-muted text-sm">Tokens: not known yet</p>
  const { input, stateTokens } = cost
  const counted = `${formatCount(stateTokens)} tokens`
  if (!input) return <p className="text-ink-muted text-sm tabular-nums">{counted}</p>
  const label = `${counted}; with the longest question ${formatCount(input.tokens)} of ${formatCount(input.limit)}`
  return (
    <div className="text-ink-muted text-sm">
      <Meter value={input.tokens / input.limit} label={label} />
      {input.tokens > input.limit ? (
        <p className="mt-1 font-medium text-danger">
          Longer than the model reads: it would be refused. Shorten the state.
        </p>
      ) : null}
    </div>
  )
}
