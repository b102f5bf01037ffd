import { X } from "lucide-react"
import { Link } from "@/components/link/link"
import { LinkButton } from "@/components/ui/link-button"
import type { Option } from "@/components/ui/select"
import type { UsageInput } from "@/lib/server/usage/schema"
import { NO_FILTERS, usageHref } from "@/lib/server/usage/search"
import type { Usage } from "@/lib/server/usage/usage"
import { countOf, formatDate, formatExactTime } from "@/lib/shared/format"

export interface Labels {
  keys: readonly Option[]
  results: readonly Option[]
}

const labelOf = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value

/** Returns the filters that leave out requests, each with the address without it. */
function narrowings(search: UsageInput, { keys, results }: Labels) {
  const { keyId, model, result, tag } = search
  return [
    keyId ? { name: "Key", value: labelOf(keys, keyId), href: usageHref(search, { keyId: undefined }) } : null,
    model ? { name: "Model", value: model, href: usageHref(search, { model: undefined }) } : null,
    tag ? { name: "Tag", value: tag, href: usageHref(search, { tag: undefined }) } : null,
    result ? { name: "Result", value: labelOf(results, result), href: usageHref(search, { result: undefined }) } : null,
  ].filter((narrowing) => narrowing !== null)
}

interface ShownProps {
  usage: Usage
  search: UsageInput
  labels: Labels
}

/** Shows which requests the page covers, with a link that removes each filter. */
export function Shown({ usage, search, labels }: ShownProps) {
  const { firstDay, lastDay, asOf, total } = usage
  const days = [firstDay, lastDay].map((day) => formatDate(new Date(day)))
  const count = total.decisions + total.refused
  const filters = narrowings(search, labels)
  return (
    <section aria-label="What is shown" className="flex flex-col gap-2">
      <p role="status">
        <span className="font-medium">{countOf(count, "request")}</span>,{" "}
        {firstDay === lastDay ? days[0] : days.join(" to ")} (UTC).{" "}
        <span className="text-ink-muted">
          {filters.length > 0 ? "Everything on this page is filtered. " : ""}
          {search.tag ? "Requests that were not answered have no tags. " : ""}As of {formatExactTime(new Date(asOf))}.
        </span>
      </p>
      {filters.length > 0 ? (
        <div className="flex flex-wrap items-center gap-2">
          <ul className="contents">
            {filters.map(({ name, value, href }) => (
              <li key={name} className="min-w-0">
                <Link
                  href={href}
                  scroll={false}
                  className="flex min-h-8 min-w-0 items-center gap-1.5 rounded-md bg-accent-soft px-2.5 text-accent-strong hover:underline pointer-coarse:min-h-11"
                >
                  <span className="sr-only">Remove the filter</span>
                  <span className="wrap-anywhere">
                    {name}: {value}
                  </span>
                  <X aria-hidden className="size-3.5 shrink-0" />
                </Link>
              </li>
            ))}
          </ul>
          <LinkButton href={usageHref(search, NO_FILTERS)} scroll={false} variant="quiet" size="sm">
            Clear filters
          </LinkButton>
        </div>
      ) : null}
    </section>
  )
}
