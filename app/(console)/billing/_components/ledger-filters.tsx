"use client"
import { ApplyWithoutScript, DayFilters, type FilterOption, FilterSelect } from "@/components/form/filter-fields"
import { useAddressFilters } from "@/components/form/use-address-filters"

type LedgerFilters = { kind: string; from: string; to: string }

function hrefOf(filters: LedgerFilters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== "")
  return set.length === 0 ? "/billing" : `/billing?${new URLSearchParams(set)}`
}

interface LedgerFilterBarProps {
  shown: LedgerFilters
  kinds: readonly FilterOption[]
  /** The latest day that can be chosen. */
  today: string
}

/** Filters the ledger by kind and days. A native form, so it also works without JavaScript. */
export function LedgerFilterBar({ shown, kinds, today }: LedgerFilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  return (
    <form
      action="/billing"
      aria-label="Filter the ledger"
      aria-busy={isPending}
      className="flex flex-wrap items-start gap-2"
    >
      <FilterSelect
        label="Entry"
        name="kind"
        value={chosen.kind}
        none="All entries"
        options={kinds}
        onChoose={(kind) => choose({ kind })}
        className="w-52 max-sm:grow"
      />
      <DayFilters chosen={chosen} today={today} choose={choose} />
      <ApplyWithoutScript />
    </form>
  )
}
