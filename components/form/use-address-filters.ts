"use client"
import { useRouter } from "next/navigation"
import { useState, useTransition } from "react"

/** The filters of the address by name. A filter that is not set is empty. */
type Filters<Name extends string> = Record<Name, string>

/** Returns what is shown, except for filters that were changed since they were sent. */
function withUnsent<Name extends string>(shown: Filters<Name>, chosen: Filters<Name>, sent: Filters<Name>) {
  const names = Object.keys(shown) as Name[]
  const entries = names.map((name) => [name, chosen[name] === sent[name] ? shown[name] : chosen[name]])
  return Object.fromEntries(entries) as Filters<Name>
}

const sameText = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Tracks filters that the address holds. Each valid choice goes to the address at once, together with the valid ones before it.
 * What is shown stays until the new content is there; `isPending` is true meanwhile.
 */
export function useAddressFilters<Name extends string>(
  shown: Filters<Name>,
  hrefOf: (filters: Filters<Name>) => string,
) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const [chosen, setChosen] = useState(shown)
  const [before, setBefore] = useState(shown)
  // The last choice that went to the address and is not shown yet.
  const [sent, setSent] = useState<Filters<Name> | null>(null)
  // The address changed: by a choice, or by something else, such as a link that clears a filter.
  if (!sameText(shown, before)) {
    setBefore(shown)
    setSent(null)
    setChosen(sent ? withUnsent(shown, chosen, sent) : shown)
  }
  const choose = (change: Partial<Filters<Name>>, isValid = true) => {
    setChosen({ ...chosen, ...change })
    if (!isValid) return
    const next = { ...(sent ?? shown), ...change }
    setSent(next)
    startTransition(() => router.replace(hrefOf(next), { scroll: false }))
  }
  return { chosen, choose, isPending }
}
