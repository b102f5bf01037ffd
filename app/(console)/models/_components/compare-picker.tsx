"use client"
import { ApplyWithoutScript } from "@/components/form/filter-fields"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { SelectField } from "@/components/ui/select"

export type Pair = { compare: string; with: string }

const hrefOf = (pair: Pair): string => `/models?${new URLSearchParams(pair)}`

/** Chooses the two models to compare. A native form, so it also works without JavaScript. */
export function ComparePicker({ shown, ids }: { shown: Pair; ids: readonly string[] }) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const filter = (name: keyof Pair) => ({
    name,
    value: chosen[name],
    options: ids,
    onChoose: (id: string) => choose({ [name]: id }),
    className: "w-72 max-sm:grow",
  })
  return (
    <form action="/models" aria-label="Compare" aria-busy={isPending} className="flex flex-wrap items-end gap-2">
      <SelectField {...filter("compare")} label="Model" />
      <SelectField {...filter("with")} label="Compare with" />
      <ApplyWithoutScript label="Compare" />
    </form>
  )
}
