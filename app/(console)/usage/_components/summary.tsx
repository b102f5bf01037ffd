import { TimeColumns, TimeLines } from "@/components/charts/time/time-charts"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import type { UserActor } from "@/lib/server/platform/actor"
import { getUsage } from "@/lib/server/usage/get-usage"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import type { Figures, Usage } from "@/lib/server/usage/usage"
import { formatCount, formatDate, formatExactTime, formatMs } from "@/lib/shared/format"
import { prepareCharts } from "./prepare-charts"
import { ErrorTable, GroupTable } from "./tables"

function Span({ usage }: { usage: Usage }) {
  const { firstDay, lastDay, asOf } = usage
  const days = [firstDay, lastDay].map((day) => formatDate(new Date(day)))
  return (
    <p className="text-ink-muted text-sm">
      {firstDay === lastDay ? days[0] : days.join(" to ")} (UTC). As of {formatExactTime(new Date(asOf))}. Totals are
      the sum of the charges in your ledger.
    </p>
  )
}

export async function Summary({ actor, search }: { actor: UserActor; search: UsageSearch }) {
  const usage = await getUsage(actor, search)
  const { decisions, refused } = usage.total
  if (decisions + refused === 0)
    return (
      <div className="flex flex-col gap-3">
        <EmptyState
          title="No requests in this range"
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
          Your decisions will appear here by day, key and model, with cost, tokens and latency.
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

const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 })

function Totals({ total }: { total: Figures }) {
  const { decisions, refused, tokens, costUsd, p50Ms, p95Ms } = total
  const share = refused > 0 ? ` (${PERCENT.format(refused / (decisions + refused))})` : ""
  const figures = [
    { label: "Spent", value: <Money usd={costUsd} /> },
    { label: "Answered", value: formatCount(decisions) },
    { label: "Not answered", value: `${formatCount(refused)}${share}` },
    { label: "Billable tokens", value: formatCount(tokens) },
    { label: "Median latency", value: formatMs(p50Ms) },
    { label: "95th percentile", value: formatMs(p95Ms) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 xl:grid-cols-6">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-ink-muted text-sm">{label}</dt>
          <dd className="wrap-anywhere font-semibold text-md tabular-nums *:whitespace-normal">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Charts({ usage }: { usage: Usage }) {
  const { spend, requests, tokens, errors, latency } = prepareCharts(usage)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-2">
      <div className="min-w-0 lg:col-span-2">
        <TimeColumns chart={spend} />
      </div>
      <TimeColumns chart={requests} />
      <TimeColumns chart={tokens} />
      {errors.layers.length > 0 ? <TimeColumns chart={errors} /> : null}
      {usage.total.p50Ms === null ? null : <TimeLines chart={latency} />}
    </div>
  )
}
