"use client"
import { useState } from "react"
import { Button } from "./button"

interface ShownRows<Row> {
  rows: readonly Row[]
  /** Null when every row is shown. */
  showMore: (() => void) | null
}

/** Returns the `first` rows of a list. Each call of `showMore` adds `more` of them. */
export function useShownRows<Row>(
  all: readonly Row[],
  { first, more }: { first: number; more: number },
): ShownRows<Row> {
  const [count, setCount] = useState(first)
  return { rows: all.slice(0, count), showMore: count < all.length ? () => setCount(count + more) : null }
}

/** Renders the button under a list that is shown in part. Nothing when it is shown whole, or on paper. */
export function ShowMore({ list: { showMore } }: { list: Pick<ShownRows<unknown>, "showMore"> }) {
  if (!showMore) return null
  return (
    <Button variant="secondary" size="sm" className="self-start print:hidden" onClick={showMore}>
      Show more
    </Button>
  )
}
