import type { ReactNode } from "react"
import { TimeColumns, TimeLines } from "@/components/charts/time/time-charts"
import { EmptyState } from "@/components/ui/empty-state"
import { Later } from "@/components/ui/later"
import { LinkButton } from "@/components/ui/link-button"
import { Money } from "@/components/ui/money"
import type { UsageInput } from "@/lib/server/usage/schema"
import { NO_FILTERS, usageHref } from "@/lib/server/usage/search"
import type { Figures, Usage } from "@/lib/server/usage/usage"
import { formatCount, formatMs } from "@/lib/shared/format"
import { prepareCharts } from "./prepare-charts"
import { ErrorTable, GroupTable, TagTable } from "./tables"

interface SummaryProps {
  usage: Usage
  search: UsageInput
  /** A link to the playground; null for members who may not run decisions. */
  playground: ReactNode
}

/** Shows the figures of the requests that the page is about: totals, charts, and tables by key, model, tag and error. */
export function Summary({ usage, search, playground }: SummaryProps) {
  const { decisions, refused } = usage.total
  if (decisions + refused === 0) return <NoRequests search={search} playground={playground} />
  return (
    <div className="flex flex-col gap-8 max-sm:gap-6">
      <Totals total={usage.total} />
      <Charts usage={usage} />
      <Later>
        <GroupTable by="key" groups={usage.keys} search={search} />
        <GroupTable by="model" groups={usage.models} search={search} />
        <TagTable tags={usage.tags} search={search} />
        <ErrorTable errors={usage.errors} search={search} />
      </Later>
    </div>
  )
}

function NoRequests({ search, playground }: Omit<SummaryProps, "usage">) {
  const isNarrowed = Boolean(search.keyId || search.model || search.result || search.tag)
  return (
    <EmptyState
      title="No requests in this range"
      action={
        isNarrowed ? (
          <LinkButton href={usageHref(search, NO_FILTERS)} variant="secondary">
            Show all requests
          </LinkButton>
        ) : (
          playground
        )
      }
    >
      {isNarrowed
        ? "No request in this range matches the filters."
        : playground
          ? "Choose a longer range, or send a request from the playground."
          : "Choose a longer range."}
    </EmptyState>
  )
}

const PERCENT = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 })

export function Totals({ total }: { total: Figures }) {
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

interface ChartsProps {
  usage: Usage
}

export function Charts({ usage }: ChartsProps) {
  const { spend, requests, tokens, errors, latency } = prepareCharts(usage)
  const hasAnswers = usage.total.decisions > 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 max-sm:gap-y-6 lg:grid-cols-2">
      {hasAnswers ? (
        <div className="min-w-0 lg:col-span-2">
          <TimeColumns chart={spend} />
        </div>
      ) : null}
      <Later>
        <TimeColumns chart={requests} />
        {hasAnswers ? <TimeColumns chart={tokens} /> : null}
        {errors.layers.length > 0 ? <TimeColumns chart={errors} /> : null}
        {usage.total.p50Ms === null ? null : <TimeLines chart={latency} />}
      </Later>
    </div>
  )
}
