"use client"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

export type LedgerFilters = { kind: string; from: string; to: string }

const EARLIEST_DAY = "2020-01-01"

function hrefOf(filters: LedgerFilters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== "")
  return set.length === 0 ? "/billing" : `/billing?${new URLSearchParams(set)}`
}

interface LedgerFilterBarProps {
  shown: LedgerFilters
  kinds: readonly { value: string; label: string }[]
  /** The latest day that can be chosen. */
  today: string
}

/** Filters the ledger by kind and days. A native form, so it also works without JavaScript. */
export function LedgerFilterBar({ shown, kinds, today }: LedgerFilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const date = (name: "from" | "to") => ({
    type: "date",
    name,
    min: EARLIEST_DAY,
    max: today,
    value: chosen[name],
    onChange: ({ target }: { target: HTMLInputElement }) => choose({ [name]: target.value }, target.validity.valid),
  })
  return (
    <form
      action="/billing"
      aria-label="Filter the ledger"
      aria-busy={isPending}
      className="flex flex-wrap items-end gap-2"
    >
      <Field label="Entry" className="w-52 max-sm:grow">
        <Select name="kind" value={chosen.kind} onChange={({ target }) => choose({ kind: target.value })}>
          <option value="">All entries</option>
          {kinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="From" className="w-36 max-sm:grow">
        <Input {...date("from")} />
      </Field>
      <Field label="To" className="w-36 max-sm:grow">
        <Input {...date("to")} />
      </Field>
      <noscript>
        <Button type="submit" variant="secondary">
          Apply
        </Button>
      </noscript>
    </form>
  )
}
