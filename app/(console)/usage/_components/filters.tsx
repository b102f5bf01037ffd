"use client"
import { ApplyWithoutScript, DayFilters, type FilterOption, FilterSelect } from "@/components/form/filter-fields"
import { useAddressFilters } from "@/components/form/use-address-filters"

/** The filters in the page's URL. A filter that is not set is an empty string. */
export type Filters = {
  /** A number of days up to today, unless `from` and `to` are set. */
  days: string
  from: string
  to: string
  key: string
  model: string
  result: string
  by: string
}

interface FilterBarProps {
  shown: Filters
  /** The latest day that can be chosen. */
  today: string
  /** The longest range, in days. */
  maxDays: number
  keys: readonly FilterOption[]
  models: readonly FilterOption[]
  results: readonly FilterOption[]
}

const GROUPS: readonly FilterOption[] = [
  { value: "key", label: "Key" },
  { value: "model", label: "Model" },
]

/** Returns the address of the page with these filters. A range of dates replaces the number of days. */
function hrefOf({ days, ...filters }: Filters): string {
  const set = Object.entries({ ...filters, days: filters.from === "" ? days : "" }).filter(([, value]) => value !== "")
  return set.length === 0 ? "/usage" : `/usage?${new URLSearchParams(set)}`
}

/** Filters every figure, chart, table and export of the page. A native form, so it also works without JavaScript. */
export function FilterBar({ shown, today, maxDays, keys, models, results }: FilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const filter = (name: "key" | "model" | "result" | "by") => ({
    name,
    value: chosen[name],
    onChoose: (value: string) => choose({ [name]: value }),
  })
  return (
    <form action="/usage" aria-label="Filters" aria-busy={isPending} className="flex flex-wrap items-start gap-2">
      {chosen.from === "" && chosen.days !== "" ? <input type="hidden" name="days" value={chosen.days} /> : null}
      <DayFilters chosen={chosen} today={today} maxDays={maxDays} choose={choose} />
      <FilterSelect {...filter("key")} label="Key" none="All keys" options={keys} className="w-44 max-sm:grow" />
      <FilterSelect
        {...filter("model")}
        label="Model"
        none="All models"
        options={models}
        className="w-52 max-sm:grow"
      />
      <FilterSelect
        {...filter("result")}
        label="Result"
        none="All results"
        options={results}
        className="w-44 max-sm:grow"
      />
      <FilterSelect {...filter("by")} label="Group by" none="Nothing" options={GROUPS} className="w-32 max-sm:grow" />
      <ApplyWithoutScript />
    </form>
  )
}
