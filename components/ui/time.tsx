import clsx from "clsx"
import { formatDate, formatDateTime, formatExactTime, formatRelative } from "@/lib/shared/format"

interface TimeProps {
  /** An ISO timestamp. */
  at: string
  /** `relative` is "3 min ago", `date` is "20 Nov 2026", `minute` is "20 Nov 2026, 15:04". */
  as?: "relative" | "date" | "minute"
  className?: string
}

/** Shows a time in UTC, with the exact time on hover and on focus. */
export function Time({ at, as = "relative", className }: TimeProps) {
  const moment = new Date(at)
  const exact = formatExactTime(moment)
  const text =
    as === "date" ? formatDate(moment) : as === "minute" ? formatDateTime(moment) : formatRelative(moment, new Date())
  return (
    // The relative text can differ between server and browser, so React must not warn about it.
    <time
      dateTime={at}
      title={exact}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard
      tabIndex={0}
      className={clsx("group relative whitespace-nowrap rounded-sm", className)}
    >
      <span suppressHydrationWarning>{text}</span>
      <span className="absolute top-full right-0 z-20 mt-1 hidden rounded bg-ink px-2 py-1 text-bg text-xs group-focus-visible:block">
        {exact}
      </span>
    </time>
  )
}
