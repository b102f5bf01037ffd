import { LocalClock } from "@/components/ui/local-clock"
import { Meter } from "@/components/ui/meter"
import { Money } from "@/components/ui/money"
import { formatSpan } from "@/lib/shared/format"
import { spendPart } from "@/lib/shared/keys/key-view"
import type { KeySummary } from "@/lib/shared/keys/schema"

export function KeySpend({ entry }: { entry: KeySummary }) {
  const { spentUsd, limitUsd, period } = entry
  const part = spendPart(entry)
  if (!limitUsd || part === null)
    return (
      <span className="tabular-nums">
        <Money usd={spentUsd} /> <span className="text-ink-muted">no limit</span>
      </span>
    )
  return (
    <div className="flex max-w-60 flex-col gap-1 max-sm:in-[td]:items-end">
      <Meter
        value={part}
        label={
          <>
            <Money usd={spentUsd} /> spent of <Money usd={limitUsd} /> {period}{" "}
            <span className="text-ink-muted">({Math.floor(part * 100)}%)</span>
          </>
        }
      />
      <NextPeriod entry={entry} />
    </div>
  )
}

function NextPeriod({ entry: { status, period, resetsAt } }: { entry: KeySummary }) {
  if (status === "limit_reached" && period === "lifetime")
    return <span className="text-danger text-sm">Used up. Create a new key.</span>
  if (!resetsAt || status === "expired" || status === "revoked") return null
  if (status !== "limit_reached")
    return (
      <span className="text-ink-muted text-sm tabular-nums">
        Resets at 00:00 UTC, <LocalClock at={resetsAt} />
      </span>
    )
  return (
    <span className="text-danger text-sm tabular-nums">
      Requests resume at 00:00 UTC (<LocalClock at={resetsAt} />
      ), in {formatSpan(Date.parse(resetsAt) - Date.now())}.
    </span>
  )
}
