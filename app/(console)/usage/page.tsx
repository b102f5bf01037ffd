import type { Metadata } from "next"
import { Suspense } from "react"
import { buttonClass } from "@/components/ui/button"
import { SkeletonTable } from "@/components/ui/skeleton-table"
import { requireSession } from "@/lib/server/auth/session"
import { listKeys } from "@/lib/server/keys/read-keys"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsageSearch, type SearchParams, usageHref } from "@/lib/server/usage/search"
import { FilterBar } from "./_components/filter-bar"
import { RangeBar } from "./_components/range-bar"
import { RequestFilters } from "./_components/request-filters"
import { RequestLog } from "./_components/request-log"
import { SummarySkeleton } from "./_components/skeletons"
import { Summary } from "./_components/summary"
import { UsageHeader } from "./_components/usage-header"

export const metadata: Metadata = { title: "Usage" }

export default async function UsagePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireSession("/usage")
  const search = parseUsageSearch(await searchParams)
  const keys = await listKeys(actor)
  const models = runtime()
    .catalogue.pinned()
    .map(({ id }) => ({ id, name: id }))
  // What the log alone depends on does not ask for the charts again.
  const ofSummary = usageHref(search, { result: undefined })
  return (
    <>
      <UsageHeader
        action={
          <a href={usageHref(search, {}, "/usage/requests.csv")} download className={buttonClass("secondary")}>
            Export CSV
          </a>
        }
      />
      <div className="flex flex-col gap-10">
        <div className="flex flex-col gap-8">
          <div className="flex flex-col gap-4">
            <RangeBar search={search} />
            <FilterBar search={search} keys={keys} models={models} />
          </div>
          <Suspense key={ofSummary} fallback={<SummarySkeleton />}>
            <Summary actor={actor} search={search} />
          </Suspense>
        </div>
        <section aria-labelledby="requests" className="flex flex-col gap-4">
          <div>
            <h2 id="requests" className="scroll-mt-5 font-semibold text-md">
              Requests
            </h2>
            <p className="text-ink-muted">
              States, instructions and descriptions are not stored. Requests that were not answered are not charged.
            </p>
          </div>
          <RequestFilters search={search} />
          <Suspense
            key={usageHref(search, search)}
            fallback={<SkeletonTable label="The requests are loading" columns={7} rows={8} />}
          >
            <RequestLog actor={actor} search={search} />
          </Suspense>
        </section>
      </div>
    </>
  )
}
