import type { Metadata } from "next"
import { buttonClass } from "@/components/ui/button"
import { Later } from "@/components/ui/later"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { downloadPath } from "@/lib/server/auth/return-path"
import { requireSession } from "@/lib/server/auth/session"
import { listKeys } from "@/lib/server/keys/read-keys"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { hasRequests } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { MAX_DAYS } from "@/lib/server/usage/schema"
import { parseUsageSearch, today, type UsageSearch, usageHref } from "@/lib/server/usage/search"
import { CSV_ESCAPES } from "@/lib/shared/csv"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { FilterBar, type Filters } from "./_components/filters"
import { isAtLog, RequestLog, readLog } from "./_components/request-log"
import { RESULT_OPTIONS } from "./_components/result-options"
import { SampleUsage } from "./_components/sample-usage"
import { RangeBar, Shown } from "./_components/shown"
import { Summary } from "./_components/summary"

export const metadata: Metadata = { title: "Usage" }

function filtersOf({ range, keyId, model, result, by }: UsageSearch): Filters {
  const dates = "from" in range ? { days: "", ...range } : { days: String(range.days), from: "", to: "" }
  return { ...dates, key: keyId ?? "", model: model ?? "", result: result ?? "", by: by ?? "" }
}

async function readPage(actor: UserActor, search: UsageSearch) {
  const [keys, usage, log] = await Promise.all([
    listKeys(runtime(), actor),
    getUsage(runtime(), actor, search),
    readLog(actor, search),
  ])
  const isEmpty = usage.total.decisions + usage.total.refused === 0
  return { usage, log, labels: labelKeys(keys), isUnused: isEmpty && !(await hasRequests(runtime(), actor)) }
}

export default async function UsagePage({ searchParams }: PageProps<"/usage">) {
  const actor = await requireSession("/usage")
  const search = parseUsageSearch(await searchParams)
  const { usage, log, labels, isUnused } = await readPage(actor, search)
  const keys = [...labels].map(([value, label]) => ({ value, label }))
  const models = runtime()
    .catalogue.pinned()
    .map(({ id }) => ({ value: id, label: id }))
  const playground = hasRight(actor, "decisions.run") ? (
    <LinkButton href="/playground">Open the playground</LinkButton>
  ) : null
  return (
    <>
      <PageHeader
        title="Usage"
        action={
          <a
            href={downloadPath(actor.accountId, usageHref(search, {}, "/usage/requests.csv"))}
            className={buttonClass("secondary")}
          >
            Export CSV
          </a>
        }
      >
        Requests, cost, errors and latency by key and model. Days are in UTC. In the CSV file, {CSV_ESCAPES}.
      </PageHeader>
      <div className="flex flex-col gap-10">
        <div className="flex flex-col gap-6">
          <div className="flex flex-col gap-4">
            <RangeBar search={search} />
            <FilterBar
              shown={filtersOf(search)}
              today={today()}
              maxDays={MAX_DAYS}
              keys={keys}
              models={models}
              results={RESULT_OPTIONS}
            />
            <Shown usage={usage} search={search} labels={{ keys, results: RESULT_OPTIONS }} />
          </div>
          {isUnused ? (
            <SampleUsage playground={playground} />
          ) : (
            <Summary usage={usage} search={search} playground={playground} />
          )}
        </div>
        {isUnused ? null : (
          <Later isNow={isAtLog(search)}>
            <RequestLog log={log} search={search} labels={labels} />
          </Later>
        )}
      </div>
    </>
  )
}
