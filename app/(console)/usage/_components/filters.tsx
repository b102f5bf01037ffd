"use client"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

export interface Option {
  value: string
  label: string
}

/** The filters of the address; an empty text for one that is not set. */
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
  keys: readonly Option[]
  models: readonly Option[]
  results: readonly Option[]
}

const EARLIEST_DAY = "2020-01-01"
const GROUPS: readonly Option[] = [
  { value: "key", label: "Key" },
  { value: "model", label: "Model" },
]

/** Returns the address of the page with these filters. A range of dates replaces the number of days. */
function hrefOf({ days, ...filters }: Filters): string {
  const set = Object.entries({ ...filters, days: filters.from === "" ? days : "" }).filter(([, value]) => value !== "")
  return set.length === 0 ? "/usage" : `/usage?${new URLSearchParams(set)}`
}

/** Filters every figure, chart, table and export of the page. A native form, so it also works without JavaScript. */
export function FilterBar({ shown, today, keys, models, results }: FilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const date = (name: "from" | "to") => ({
    type: "date",
    name,
    min: EARLIEST_DAY,
    max: today,
    value: chosen[name],
    onChange: ({ target }: { target: HTMLInputElement }) => choose({ [name]: target.value }, target.validity.valid),
  })
  const select = (name: "key" | "model" | "result" | "by", none: string, options: readonly Option[]) => (
    <Select name={name} value={chosen[name]} onChange={({ target }) => choose({ [name]: target.value })}>
      <option value="">{none}</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  )
  return (
    <form action="/usage" aria-label="Filters" aria-busy={isPending} className="flex flex-wrap items-end gap-2">
      {chosen.from === "" && chosen.days !== "" ? <input type="hidden" name="days" value={chosen.days} /> : null}
      <Field label="From" className="w-36 max-sm:grow">
        <Input {...date("from")} />
      </Field>
      <Field label="To" className="w-36 max-sm:grow">
        <Input {...date("to")} />
      </Field>
      <Field label="Key" className="w-44 max-sm:grow">
        {select("key", "All keys", keys)}
      </Field>
      <Field label="Model" className="w-52 max-sm:grow">
        {select("model", "All models", models)}
      </Field>
      <Field label="Result" className="w-44 max-sm:grow">
        {select("result", "All results", results)}
      </Field>
      <Field label="Group by" className="w-32 max-sm:grow">
        {select("by", "Nothing", GROUPS)}
      </Field>
      <noscript>
        <Button type="submit" variant="secondary">
          Apply
        </Button>
      </noscript>
    </form>
  )
}
