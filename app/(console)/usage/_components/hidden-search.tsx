import { type UsageSearch, usageParams } from "@/lib/server/usage/search"

/** What a form keeps of the address without asking. */
export function HiddenSearch({ search, without }: { search: UsageSearch; without: readonly string[] }) {
  return usageParams(search)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
