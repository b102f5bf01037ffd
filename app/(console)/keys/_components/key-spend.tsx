import { Meter } from "@/components/ui/meter"
import { formatSpan } from "@/lib/format-span"
import type { KeySummary } from "@/lib/keys/schema"
import { displayUsd, parseUsd } from "@/lib/money"

/** The used part of a limit, 0 to 1, to the tenth of a percent downwards: it reads 100 % only when nothing is left. */
function usedPart(spentUsd: string, limitUsd: string): number {
  const [spent, limit] = [parseUsd(spentUsd) ?? 0n, parseUsd(limitUsd) ?? 0n]
  return limit > 0n ? Number((spent * 1_000n) / limit) / 1_000 : 1
}

/** The status beside it already says that the limit is reached. */
function whatNext({ status, period, resetsAt }: KeySummary): string | null {
  if (status !== "limit_reached") return null
  if (period === "lifetime" || !resetsAt) return "Used up. Create a new key."
  return `Requests resume at 00:00 UTC, in ${formatSpan(Date.parse(resetsAt) - Date.now())}.`
}

/** What a key has spent, against its limit where it has one. */
export function KeySpend({ entry }: { entry: KeySummary }) {
  const { spentUsd, limitUsd, period } = entry
  if (!limitUsd)
    return (
      <span>
        {displayUsd(spentUsd)} <span className="text-ink-muted">no limit</span>
      </span>
    )
  const part = usedPart(spentUsd, limitUsd)
  const next = whatNext(entry)
  return (
    <div className="flex flex-col gap-1 max-sm:items-end">
      <Meter
        value={part}
        className="sm:max-w-56"
        label={
          <>
            {displayUsd(spentUsd)} of {displayUsd(limitUsd)} {period}{" "}
            <span className="text-ink-muted">({Math.floor(part * 100)}%)</span>
          </>
        }
      />
      {next ? <span className="text-danger text-sm">{next}</span> : null}
    </div>
  )
}
