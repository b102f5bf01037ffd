import type { ReactNode } from "react"
import { Badge } from "@/components/ui/badge"
import { EmptyState } from "@/components/ui/empty-state"
import type { Figures, Usage, UsagePoint } from "@/lib/server/usage/usage"
import { pico, usd12 } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"
import { Charts, Totals } from "./summary"

const DAYS = 30
const TOKENS_EACH = 240
const PRICE_PICO = 731_000n

/** Returns a day of the sample: more requests on workdays, and a little more every week. */
function sampleDay(at: Date, place: number): UsagePoint {
  const isWeekend = at.getUTCDay() % 6 === 0
  const decisions = Math.round((isWeekend ? 140 : 420) * (1 + place / 60) + 35 * Math.sin(place * 2.1))
  const refused = place % 9 === 4 ? 12 : 0
  const tokens = decisions * TOKENS_EACH
  const latency = { p50Ms: 46 + (place % 5), p95Ms: 118 + 3 * (place % 7) }
  const costUsd = usd12(pico(BigInt(tokens) * PRICE_PICO))
  const errors: Record<string, number> = refused > 0 ? { rate_limited: refused } : {}
  return { at: at.toISOString(), decisions, refused, tokens, costUsd, errors, ...latency }
}

function totalOf(points: readonly UsagePoint[]): Figures {
  const sum = (pick: (point: UsagePoint) => number) => points.reduce((all, point) => all + pick(point), 0)
  const tokens = sum((point) => point.tokens)
  return {
    decisions: sum((point) => point.decisions),
    refused: sum((point) => point.refused),
    tokens,
    costUsd: usd12(pico(BigInt(tokens) * PRICE_PICO)),
    p50Ms: 48,
    p95Ms: 127,
  }
}

function sampleOf(now: Date): Usage {
  const last = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const points = Array.from({ length: DAYS }, (_, place) =>
    sampleDay(new Date(last - (DAYS - 1 - place) * DAY_MS), place),
  )
  const day = (point: UsagePoint | undefined) => point?.at.slice(0, 10) ?? ""
  const total = totalOf(points)
  return {
    asOf: now.toISOString(),
    unit: "day",
    firstDay: day(points[0]),
    lastDay: day(points.at(-1)),
    total,
    points,
    keys: [],
    models: [],
    errors: [{ status: 429, code: "rate_limited", requests: total.refused }],
    tags: [],
    layers: [],
  }
}

/** Shows what this page will contain, with sample figures, to an account without requests. `playground` links to the playground. */
export function SampleUsage({ playground }: { playground: ReactNode }) {
  const usage = sampleOf(new Date())
  return (
    <div className="flex flex-col gap-8">
      <EmptyState title="No requests yet" action={playground}>
        Send your first request, and this page shows its cost, tokens and latency by day, key and model. Below is a
        sample.
      </EmptyState>
      <section
        aria-labelledby="sample"
        className="flex flex-col gap-6 rounded-lg border border-line-strong border-dashed px-4 py-5 sm:px-6"
      >
        <h2 id="sample" className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-lg">
          A sample of usage <Badge tone="warn">Not your data</Badge>
        </h2>
        <Totals total={usage.total} />
        <Charts usage={usage} />
      </section>
    </div>
  )
}
