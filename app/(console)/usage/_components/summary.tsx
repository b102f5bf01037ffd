import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { getUsage } from "@/lib/server/usage/get-usage"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import type { Usage } from "@/lib/server/usage/usage"
import { formatDate, formatExactTime } from "@/lib/shared/format"
import { Charts } from "./charts"
import { ErrorTable } from "./error-table"
import { GroupTable } from "./group-table"
import { Totals } from "./totals"

function Span({ usage }: { usage: Usage }) {
  const { firstDay, lastDay, asOf } = usage
  const days = [firstDay, lastDay].map((day) => formatDate(new Date(day)))
  return (
    <p className="text-ink-muted text-sm">
      {firstDay === lastDay ? days[0] : days.join(" to ")}, UTC days. As of {formatExactTime(new Date(asOf))}. Totals
      are the sum of the ledger's charges.
    </p>
  )
}

/** Totals, charts and tables of what was asked for, all from one moment. */
export async function Summary({ actor, search }: { actor: UserActor; search: UsageSearch }) {
  const usage = await getUsage(actor, search)
  const { decisions, refused } = usage.total
  if (decisions + refused === 0)
    return (
      <div className="flex flex-col gap-3">
        <EmptyState
          title="No requests in these days"
          action={
            search.keyId || search.model ? (
              <LinkButton href={usageHref(search, { keyId: undefined, model: undefined })} variant="secondary">
                Show all keys and models
              </LinkButton>
            ) : (
              <LinkButton href="/playground">Open the playground</LinkButton>
            )
          }
        >
          Every decision appears here with its cost, tokens and latency, by day, key and model.
        </EmptyState>
        <Span usage={usage} />
      </div>
    )
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-3">
        <Totals total={usage.total} />
        <Span usage={usage} />
      </div>
      <Charts usage={usage} />
      <GroupTable by="key" groups={usage.keys} search={search} />
      <GroupTable by="model" groups={usage.models} search={search} />
      <ErrorTable errors={usage.errors} search={search} />
    </div>
  )
}
