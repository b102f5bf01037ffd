"use client"
import { useRouter } from "next/navigation"
import { useState, useTransition } from "react"
import { useAccountAddress } from "@/components/link/account-address"

/** The filters of the address by name. A filter that is not set is empty. */
type Filters<Name extends string> = Record<Name, string>

export type ChooseFilters<Name extends string> = (
  change: Partial<Filters<Name>>,
  options?: {
    /** False for a choice that is shown, but not applied. */
    isValid?: boolean
    /** The field that the user types into, if each key is a change. */
    typedIn?: Name
  },
) => void

/** Returns what is shown, except for filters that were changed since they were sent. */
function withUnsent<Name extends string>(shown: Filters<Name>, chosen: Filters<Name>, sent: Filters<Name>) {
  const names = Object.keys(shown) as Name[]
  const entries = names.map((name) => [name, chosen[name] === sent[name] ? shown[name] : chosen[name]])
  return Object.fromEntries(entries) as Filters<Name>
}

const sameText = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Tracks filters that the address holds. Each valid choice goes to the address at once, together with the valid ones before it.
 * What is shown stays until the new content is there; `isPending` is true meanwhile. A choice is an entry of the browser's history,
 * and all that is typed into one field in a row is one entry, so Back returns to what was shown before.
 */
export function useAddressFilters<Name extends string>(
  shown: Filters<Name>,
  hrefOf: (filters: Filters<Name>) => string,
) {
  const router = useRouter()
  const addressOf = useAccountAddress()
  const [isPending, startTransition] = useTransition()
  const [chosen, setChosen] = useState(shown)
  const [before, setBefore] = useState(shown)
  // The last choice that went to the address and is not shown yet.
  const [sent, setSent] = useState<Filters<Name> | null>(null)
  // The field of the last choice, if it was typed.
  const [typedField, setTypedField] = useState<Name | null>(null)
  // The address changed: by a choice, or by something else, such as a link that clears a filter.
  if (!sameText(shown, before)) {
    setBefore(shown)
    setSent(null)
    setChosen(sent ? withUnsent(shown, chosen, sent) : shown)
    if (!sent) setTypedField(null)
  }
  const choose: ChooseFilters<Name> = (change, { isValid = true, typedIn = null } = {}) => {
    setChosen({ ...chosen, ...change })
    if (!isValid) return
    const current = sent ?? shown
    const next = { ...current, ...change }
    if (sameText(next, current)) return
    setSent(next)
    setTypedField(typedIn)
    const go = typedIn !== null && typedIn === typedField ? router.replace : router.push
    startTransition(() => go(addressOf(hrefOf(next)), { scroll: false }))
  }
  return { chosen, choose, isPending }
}
