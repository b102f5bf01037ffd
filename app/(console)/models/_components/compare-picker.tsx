"use client"
import { ApplyWithoutScript, FilterSelect } from "@/components/form/filter-fields"
import { useAddressFilters } from "@/components/form/use-address-filters"

export type Pair = { compare: string; with: string }

const hrefOf = (pair: Pair): string => `/models?${new URLSearchParams(pair)}`

/** Chooses the two models to compare. A native form, so it also works without JavaScript. */
export function ComparePicker({ shown, ids }: { shown: Pair; ids: readonly string[] }) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const filter = (name: keyof Pair) => ({
    name,
    value: chosen[name],
    options: ids.map((id) => ({ value: id, label: id })),
    onChoose: (id: string) => choose({ [name]: id }),
    className: "w-72 max-sm:grow",
  })
  return (
    <form action="/models" aria-label="Compare" aria-busy={isPending} className="flex flex-wrap items-end gap-2">
      <FilterSelect {...filter("compare")} label="Model" />
      <FilterSelect {...filter("with")} label="Compare with" />
      <ApplyWithoutScript label="Compare" />
    </form>
  )
}
