"use client"
import { ApplyWithoutScript, DayFilters } from "@/components/form/filter-fields"
import { PhoneFilters } from "@/components/form/phone-filters"
import { useAddressFilters } from "@/components/form/use-address-filters"
import { useAccountAddress } from "@/components/link/account-address"
import { type Option, SelectField } from "@/components/ui/select"
import { viewHref } from "@/lib/shared/view-href"

type LedgerFilters = { kind: string; from: string; to: string }

interface LedgerFilterBarProps {
  shown: LedgerFilters
  kinds: readonly Option[]
  /** The latest day that can be chosen. */
  today: string
}

/** Filters the ledger by kind and days. A native form, so it also works without JavaScript. */
export function LedgerFilterBar({ shown, kinds, today }: LedgerFilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, (filters) => viewHref("/billing", filters))
  const addressOf = useAccountAddress()
  const count = (shown.kind === "" ? 0 : 1) + (shown.from === "" && shown.to === "" ? 0 : 1)
  return (
    <PhoneFilters count={count}>
      <form
        action={addressOf("/billing")}
        aria-label="Filter the ledger"
        aria-busy={isPending}
        className="flex flex-wrap items-start gap-2"
      >
        <SelectField
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
    </PhoneFilters>
  )
}
