"use client"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { useAccountAddress } from "@/components/link/account-address"
import { SearchInput } from "@/components/ui/search-input"
import { Select } from "@/components/ui/select"
import type { KeyView, ViewedKeys } from "@/lib/shared/keys/key-view"
import { keyViewHref } from "@/lib/shared/keys/key-view-href"

const DEBOUNCE_MS = 250

const ORDERS: readonly { value: string; label: string }[] = [
  { value: "created desc", label: "Newest first" },
  { value: "created asc", label: "Oldest first" },
  { value: "name asc", label: "Name" },
  { value: "used desc", label: "Most of limit used" },
  { value: "last-used desc", label: "Last used" },
  { value: "expires asc", label: "Expires first" },
  { value: "status asc", label: "Status" },
]

/** Tracks what is typed while earlier searches are still loading. Follows the address when a link changes the search. */
function useSearch(view: KeyView) {
  const router = useRouter()
  const addressOf = useAccountAddress()
  const [typed, setTyped] = useState(view.q)
  // The search that is shown, followed by those that were sent since.
  const [sent, setSent] = useState([view.q])
  // What is typed in a row is one entry of the browser's history.
  const [isTyping, setTyping] = useState(false)
  if (view.q !== sent[0]) {
    const place = sent.lastIndexOf(view.q)
    setSent(place < 0 ? [view.q] : sent.slice(place))
    if (place < 0) {
      setTyped(view.q)
      setTyping(false)
    }
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const go = (change: Partial<KeyView>) => {
    const { q = typed } = change
    setSent((before) => (before.at(-1) === q ? before : [...before, q]))
    const isTyped = change.q !== undefined
    const navigate = isTyped && isTyping ? router.replace : router.push
    setTyping(isTyped)
    navigate(addressOf(keyViewHref(view, { ...change, q })), { scroll: false })
  }
  const search = (q: string) => {
    setTyped(q)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => go({ q }), DEBOUNCE_MS)
  }
  return { typed, search, go, endTyping: () => setTyping(false) }
}

/** Searches during typing; without JavaScript, on submit. On a phone, where the table has no head, it also sorts. */
export function KeySearch({ view, creators }: Pick<ViewedKeys, "view" | "creators">) {
  const { typed, search, go, endTyping } = useSearch(view)
  const addressOf = useAccountAddress()
  const order = `${view.sort} ${view.dir}`
  const orders = ORDERS.some(({ value }) => value === order)
    ? ORDERS
    : [{ value: order, label: "Current order" }, ...ORDERS]
  return (
    <search className={creators.length > 1 ? "w-full sm:w-120" : "w-full sm:w-64"}>
      <form action={addressOf("/keys")} className="flex flex-wrap gap-2">
        <SearchInput
          name="q"
          aria-label="Search keys"
          value={typed}
          onChange={(event) => search(event.target.value)}
          onBlur={endTyping}
          placeholder="Name, shortened key or id"
          maxLength={64}
          boxClassName="flex-1 basis-60"
        />
        {creators.length > 1 ? (
          <Select
            aria-label="Created by"
            name="by"
            value={view.by}
            onChange={(event) => go({ by: event.target.value })}
            className="min-w-0 flex-1 basis-44"
          >
            <option value="">Created by anyone</option>
            {creators.map(({ id, email, isMember }) => (
              <option key={id} value={id}>
                {isMember ? email : `${email} (left)`}
              </option>
            ))}
          </Select>
        ) : null}
        <Select
          aria-label="Sort by"
          value={order}
          onChange={(event) => {
            const [sort, dir] = event.target.value.split(" ")
            go({ sort, dir } as Partial<KeyView>)
          }}
          className="flex-1 basis-36 sm:hidden"
        >
          {orders.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <input type="hidden" name="show" value={view.show} />
        <input type="hidden" name="sort" value={view.sort} />
        <input type="hidden" name="dir" value={view.dir} />
      </form>
    </search>
  )
}
