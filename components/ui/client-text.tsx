"use client"
import { Fragment, useState } from "react"
import { formatCount } from "@/lib/shared/format"
import { breakable } from "@/lib/shared/long-runs"

const SHOWN_LENGTH = 20_000

/**
 * Shows a text of any length that anybody may have written, so that it cannot stop the page: its first 20,000 characters with a button
 * that shows all. Renders within its parent, which decides about white space.
 */
export function ClientText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHOWN_LENGTH
  // Half of a character at the end would be shown as a replacement.
  const shown = isLong && !isWhole ? text.slice(0, SHOWN_LENGTH).replace(/[\uD800-\uDBFF]$/, "") : text
  return (
    <>
      {breakable(shown).map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no state
        <Fragment key={at}>
          {at > 0 ? <wbr /> : null}
          {piece}
        </Fragment>
      ))}
      {isLong ? (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="ml-1 font-sans text-accent text-sm underline pointer-coarse:min-h-11"
        >
          {isWhole ? "Show less" : `… Show all ${formatCount(text.length)} characters`}
        </button>
      ) : null}
    </>
  )
}
