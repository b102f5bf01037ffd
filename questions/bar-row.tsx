import clsx from "clsx"
import { Exact } from "@/components/charts/exact"
import { growRight } from "@/components/charts/grow"
import type { Share } from "./display"

interface BarRowProps {
  /** The number of a level; an option has none. */
  term?: number
  label: string
  share: Share
  /** Of the bar, 0 to 1. */
  length: number
  /** For the answer, the others are muted. */
  strong: boolean
}

/** Draws one possible answer: its text, its bar and its probability in one line. */
export function BarRow({ term, label, share, length, strong }: BarRowProps) {
  return (
    <li className="grid min-h-5 grid-cols-[minmax(5rem,34%)_1fr_3.75rem] items-center gap-3">
      <span className={clsx("flex min-w-0 gap-1.5", strong ? "font-medium" : "text-ink-muted")}>
        {term === undefined ? null : <span className="min-w-4 tabular-nums">{term}</span>}
        <span dir="auto" className={clsx("min-w-0 flex-1 break-words", term !== undefined && "line-clamp-3")}>
          {label}
        </span>
      </span>
      <svg width="100%" height="12" aria-hidden="true">
        <rect
          width={`${length * 100}%`}
          height="12"
          rx="3"
          className={clsx(strong ? "fill-probability" : "fill-probability-muted", growRight)}
        />
      </svg>
      <span className="text-right">
        <Exact text={share.percent} exact={share.exact} className={strong ? "font-semibold" : undefined} />
      </span>
    </li>
  )
}
