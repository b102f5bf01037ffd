import clsx from "clsx"
import { formatDate, formatDateTime, formatExactTime, formatRelative } from "@/lib/shared/format"

interface TimeProps {
  /** ISO text. */
  at: string
  /** "relative" where nearness matters, "date" and "minute" where the moment does. */
  as?: "relative" | "date" | "minute"
  className?: string
}

/** A moment, with the exact UTC time on hover and on focus. */
export function Time({ at, as = "relative", className }: TimeProps) {
  const moment = new Date(at)
  const exact = formatExactTime(moment)
  const text =
    as === "date" ? formatDate(moment) : as === "minute" ? formatDateTime(moment) : formatRelative(moment, new Date())
  return (
    // The relative text is a minute older in the browser than on the server: React's own case for silencing the difference.
    <time
      dateTime={at}
      title={exact}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be within reach of a keyboard
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
