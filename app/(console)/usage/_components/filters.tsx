"use client"
import clsx from "clsx"
import { ApplyWithoutScript, DayFilters } from "@/components/form/filter-fields"
import { PhoneFilters } from "@/components/form/phone-filters"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { useAccountAddress } from "@/components/link/account-address"
import { type Option, SelectField } from "@/components/ui/select"
import { viewHref } from "@/lib/shared/view-href"

/** The filters in the page's URL. A filter that is not set is an empty string. */
export type Filters = {
  /** A number of days up to today, unless `from` and `to` are set. */
  days: string
  from: string
  to: string
  key: string
  model: string
  result: string
  tag: string
  by: string
}

interface FilterBarProps {
  shown: Filters
  /** The latest day that can be chosen. */
  today: string
  /** The longest range, in days. */
  maxDays: number
  keys: readonly Option[]
  models: readonly Option[]
  results: readonly Option[]
  /** Those with charges in the range. */
  tags: readonly Option[]
}

const GROUPS: readonly Option[] = [
  { value: "key", label: "Key" },
  { value: "model", label: "Model" },
]

/** Returns the address of the page with these filters. A range of dates replaces the number of days. */
const hrefOf = ({ days, ...filters }: Filters): string =>
  viewHref("/usage", { ...filters, days: filters.from === "" ? days : "" })

/** Filters every figure, chart, table and export of the page. A native form, so it also works without JavaScript. */
export function FilterBar({ shown, today, maxDays, keys, models, results, tags }: FilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const addressOf = useAccountAddress()
  const filter = (
    name: "key" | "model" | "result" | "tag" | "by",
    label: string,
    none: string,
    options: readonly Option[],
  ) => (
    <SelectField
      name={name}
      label={label}
      none={none}
      options={options}
      value={chosen[name]}
      onChoose={(value) => choose({ [name]: value })}
      className={clsx("max-sm:w-[calc(50%-0.25rem)]", name === "by" ? "w-32" : "w-48")}
    />
  )
  const { from, key, model, result, tag, by } = shown
  return (
    <PhoneFilters count={[from, key, model, result, tag, by].filter((set) => set !== "").length}>
      <form
        action={addressOf("/usage")}
        aria-label="Filters"
        aria-busy={isPending}
        className="flex flex-wrap items-start gap-2"
      >
        {chosen.from === "" && chosen.days !== "" ? <input type="hidden" name="days" value={chosen.days} /> : null}
        <DayFilters chosen={chosen} today={today} maxDays={maxDays} choose={choose} />
        {filter("key", "Key", "All keys", keys)}
        {filter("model", "Model", "All models", models)}
        {filter("result", "Result", "All results", results)}
        {tags.length > 0 ? filter("tag", "Tag", "All requests", tags) : null}
        {filter("by", "Group by", "Nothing", GROUPS)}
        <ApplyWithoutScript />
      </form>
    </PhoneFilters>
  )
}
