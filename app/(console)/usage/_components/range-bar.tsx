import Form from "next/form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { isChosen, type UsageSearch, usageHref } from "@/lib/usage/search"
import { HiddenSearch } from "./hidden-search"

const SPANS = [
  { days: 1, label: "Today" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
]

/** Which UTC days the page is about: up to today, or from one to another. */
export function RangeBar({ search }: { search: UsageSearch }) {
  const chosen = isChosen(search) ? search.range : null
  const days = "days" in search.range ? search.range.days : null
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <nav aria-label="Range" className="-ml-1 flex gap-1">
        {SPANS.map((span) => (
          <LinkButton
            key={span.days}
            href={usageHref(search, { range: { days: span.days } })}
            size="sm"
            variant={span.days === days ? "secondary" : "quiet"}
            aria-current={span.days === days ? "page" : undefined}
            className="px-2"
          >
            {span.label}
          </LinkButton>
        ))}
      </nav>
      <Form action="/usage" aria-label="Days of your choice" className="flex flex-wrap items-end gap-2">
        <HiddenSearch search={search} without={["days", "from", "to", "before", "request"]} />
        <Field label="From" className="w-36">
          <Input type="date" name="from" required defaultValue={chosen?.from} key={chosen?.from} />
        </Field>
        <Field label="To" className="w-36">
          <Input type="date" name="to" required defaultValue={chosen?.to} key={chosen?.to} />
        </Field>
        <Button type="submit" variant="secondary">
          Show
        </Button>
      </Form>
    </div>
  )
}
