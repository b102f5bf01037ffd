"use client"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"

export type Pair = { compare: string; with: string }

const hrefOf = (pair: Pair): string => `/models?${new URLSearchParams(pair)}`

/** Chooses the two models to compare. A native form, so it also works without JavaScript. */
export function ComparePicker({ shown, ids }: { shown: Pair; ids: readonly string[] }) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const select = (name: keyof Pair) => (
    <Select name={name} value={chosen[name]} onChange={({ target }) => choose({ [name]: target.value })}>
      {ids.map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </Select>
  )
  return (
    <form action="/models" aria-label="Compare" aria-busy={isPending} className="flex flex-wrap items-end gap-2">
      <Field label="Model" className="w-72 max-sm:grow">
        {select("compare")}
      </Field>
      <Field label="Compare with" className="w-72 max-sm:grow">
        {select("with")}
      </Field>
      <noscript>
        <Button type="submit" variant="secondary">
          Compare
        </Button>
      </noscript>
    </form>
  )
}
