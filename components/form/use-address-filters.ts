"use client"
import { useRouter } from "next/navigation"
import { useState, useTransition } from "react"

/** Filters as texts of the address; an empty text for one that is not set. */
type Filters<Name extends string> = Record<Name, string>

const sameText = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Tracks filters that the address holds. Each valid choice goes to the address at once, together with all others. What is
 * shown stays until the new content is there; `isPending` is true meanwhile.
 */
export function useAddressFilters<Name extends string>(
  shown: Filters<Name>,
  hrefOf: (filters: Filters<Name>) => string,
) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const [chosen, setChosen] = useState(shown)
  const [before, setBefore] = useState(shown)
  // The address changed, for example by a link that clears a filter.
  if (!sameText(shown, before)) {
    setBefore(shown)
    setChosen(shown)
  }
  const choose = (change: Partial<Filters<Name>>, isValid = true) => {
    const next = { ...chosen, ...change }
    setChosen(next)
    if (isValid) startTransition(() => router.replace(hrefOf(next), { scroll: false }))
  }
  return { chosen, choose, isPending }
}
