import type { ReactNode } from "react"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import type { Option } from "@/components/ui/select"
import { listKeys } from "@/lib/server/keys/read-keys"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { hasRequests } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { MAX_DAYS, type UsageInput } from "@/lib/server/usage/schema"
import { parseUsageSearch, requestsOf, type SearchParams, today, usageHref } from "@/lib/server/usage/search"
import type { Usage } from "@/lib/server/usage/usage"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { RangeBar } from "../../_components/range-bar"
import { RESULT_OPTIONS } from "../../_components/result-options"
import { FilterBar, type Filters } from "./filters"
import { SampleUsage } from "./sample-usage"
import { Shown } from "./shown"
import { Summary } from "./summary"

function filtersOf({ range, keyId, model, result, tag, by }: UsageInput): Filters {
  const dates = "from" in range ? { days: "", ...range } : { days: String(range.days), from: "", to: "" }
  return { ...dates, key: keyId ?? "", model: model ?? "", result: result ?? "", tag: tag ?? "", by: by ?? "" }
}

/** Returns the tags that can be chosen: those with charges, and the chosen one. */
const tagOptions = ({ tags }: Usage, { tag: chosen }: UsageInput): Option[] => {
  const names = new Set(tags.map(({ tag }) => tag))
  if (chosen) names.add(chosen)
  return [...names].sort().map((tag) => ({ value: tag, label: tag }))
}

async function readPage(actor: AccountReader, search: UsageInput) {
  const [keys, usage] = await Promise.all([listKeys(runtime(), actor), getUsage(runtime(), actor, search)])
  const isEmpty = usage.total.decisions + usage.total.refused === 0
  return { usage, labels: labelKeys(keys), isUnused: isEmpty && !(await hasRequests(runtime(), actor)) }
}

/** Renders the usage of the actor's account. */
export async function usageView(actor: AccountReader, params: SearchParams): Promise<ReactNode> {
  const search = parseUsageSearch(params)
  const { usage, labels, isUnused } = await readPage(actor, search)
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
          isUnused ? null : (
            <LinkButton href={requestsOf(search)} variant="secondary">
              Show these requests
            </LinkButton>
          )
        }
      >
        Requests, cost, errors and latency by key, model and tag. Days are in UTC.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <div className="flex flex-col gap-4">
          <RangeBar range={search.range} hrefOf={(days) => usageHref(search, { range: { days } })} />
          <FilterBar
            shown={filtersOf(search)}
            today={today()}
            maxDays={MAX_DAYS}
            keys={keys}
            models={models}
            results={RESULT_OPTIONS}
            tags={tagOptions(usage, search)}
          />
          <Shown usage={usage} search={search} labels={{ keys, results: RESULT_OPTIONS }} />
        </div>
        {isUnused && actor.type === "user" ? (
          <SampleUsage playground={playground} />
        ) : (
          <Summary usage={usage} search={search} playground={playground} />
        )}
      </div>
    </>
  )
}
