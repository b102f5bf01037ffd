import { TimeColumns } from "@/components/charts/time/time-columns"
import { TimeLines } from "@/components/charts/time/time-lines"
import type { Usage } from "@/lib/server/usage/usage"
import { prepareCharts } from "./prepare-charts"

/** Spend, requests, tokens, errors and latency over time. */
export function Charts({ usage }: { usage: Usage }) {
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
