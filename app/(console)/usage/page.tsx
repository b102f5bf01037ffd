import type { Metadata } from "next"
import { Suspense } from "react"
import { buttonClass } from "@/components/ui/button"
import { SkeletonTable } from "@/components/ui/skeleton"
import { requireSession } from "@/lib/server/auth/session"
import { listKeys } from "@/lib/server/keys/read-keys"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsageSearch, type SearchParams, usageHref } from "@/lib/server/usage/search"
import { FilterBar, RangeBar, RequestFilters } from "./_components/filters"
import { SummarySkeleton, UsageHeader } from "./_components/frame"
import { RequestLog } from "./_components/request-log"
import { Summary } from "./_components/summary"

export const metadata: Metadata = { title: "Usage" }

export default async function UsagePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireSession("/usage")
  const search = parseUsageSearch(await searchParams)
  const keys = await listKeys(actor)
  const models = runtime()
    .catalogue.pinned()
    .map(({ id }) => ({ id, name: id }))
  // The summary reloads only for what it depends on, not for the filters of the log.
  const summaryHref = usageHref(search, { result: undefined })
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
          <Suspense key={summaryHref} fallback={<SummarySkeleton />}>
            <Summary actor={actor} search={search} />
          </Suspense>
        </div>
        <section aria-labelledby="requests" className="flex flex-col gap-4">
          <div>
            <h2 id="requests" className="scroll-mt-5 font-semibold text-md">
              Requests
            </h2>
            <p className="text-ink-muted">
              The content of requests is never stored. Requests without an answer are not charged.
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
