"use client"
import { Fragment, memo, useMemo, useState } from "react"
import { useGrowingCount } from "@/components/timing/use-growing-count"
import { formatCount } from "@/lib/shared/format"
import { blocksOf, breakable } from "@/lib/shared/long-runs"

const SHOWN_LENGTH = 20_000
/** 50,000 characters. */
const BLOCKS = { first: 10, more: 10 }

interface ClientTextProps {
  text: string
  /** The characters that are shown first, fewer where a page shows many texts. */
  maxLength?: number
}

/**
 * Shows a text of any length that anybody may have written, so that it cannot stop the page: its first characters, 20,000 unless
 * another number is given, with a button that shows all. Renders within its parent, which decides about white space.
 */
export function ClientText({ text, maxLength = SHOWN_LENGTH }: ClientTextProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > maxLength
  // Half of a character at the end would be shown as a replacement.
  const shown = isLong && !isWhole ? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "") : text
  return (
    <>
      <Blocks key={String(isWhole)} text={shown} />
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

/** A browser lays out only the blocks near the screen, so the time does not grow with the length. */
function Blocks({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  const count = useGrowingCount(blocks.length, BLOCKS)
  if (blocks.length === 1) return <Pieces text={text} />
  return blocks.slice(0, count).map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no state
    <span key={at} className="skip-offscreen block whitespace-pre-wrap [contain-intrinsic-height:auto_75rem]">
      <Pieces text={block} />
    </span>
  ))
}

const Pieces = memo(function Pieces({ text }: { text: string }) {
  return breakable(text).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no state
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {piece}
    </Fragment>
  ))
})
