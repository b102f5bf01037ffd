import type { Metadata } from "next"
import { DayColumns } from "@/components/charts/day-columns"
import { formatExact } from "@/components/ui/format-time"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/auth/session"
import { listDailySpend } from "@/lib/usage/list-daily-spend"
import { listRecentRequests } from "@/lib/usage/list-recent-requests"
import { prepareDays } from "@/lib/usage/prepare"
import { DailySpendInput, RecentRequestsInput } from "@/lib/usage/schema"
import { DailyTable } from "./_components/daily-table"
import { RangeLinks } from "./_components/range-links"
import { RecentTable } from "./_components/recent-table"
import { Totals } from "./_components/totals"

export const metadata: Metadata = { title: "Usage" }

interface UsagePageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const DEFAULT_DAYS = 30

/** A span or a cursor that is none of ours shows the first page instead. */
async function readSearch(searchParams: UsagePageProps["searchParams"]) {
  const search = await searchParams
  const span = DailySpendInput.safeParse({ days: search.days ?? DEFAULT_DAYS })
  const cursor = RecentRequestsInput.safeParse({ before: search.before })
  return { days: span.success ? span.data.days : DEFAULT_DAYS, before: cursor.success ? cursor.data.before : undefined }
}

export default async function UsagePage({ searchParams }: UsagePageProps) {
  const actor = await requireSession("/usage")
  const { days, before } = await readSearch(searchParams)
  const [spend, recent] = await Promise.all([listDailySpend(actor, { days }), listRecentRequests(actor, { before })])
  const bars = prepareDays(spend.rows, spend.firstDay, spend.asOf.slice(0, 10))
  return (
    <>
      <PageHeader title="Usage" action={<RangeLinks days={days} />}>
        What each key spent by day, and the last requests.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <section aria-label="Spending" className="flex flex-col gap-6">
          <Totals total={spend.total} />
          {bars.some(({ part }) => part > 0) ? <DayColumns days={bars} /> : null}
          <DailyTable rows={spend.rows} />
          <p className="text-ink-muted text-sm">
            As of {formatExact(new Date(spend.asOf))}. Days are UTC days. Totals are the sum of the ledger's charges.
          </p>
        </section>
        <RecentTable recent={recent} days={days} isFirstPage={before === undefined} />
      </div>
    </>
  )
}
