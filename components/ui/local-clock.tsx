"use client"
import { useSyncExternalStore } from "react"

const subscribeToNothing = () => () => {}

const localTime = (at: string): string =>
  new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date(at))

/**
 * Shows a time in the reader's time zone: "01:00 your time". Only the browser knows the zone, so the server renders
 * invisible text of the same width. Use `tabular-nums` on the text around it.
 */
export function LocalClock({ at }: { at: string }) {
  const text = useSyncExternalStore<string | null>(
    subscribeToNothing,
    () => localTime(at),
    () => null,
  )
  return (
    <span className={text === null ? "invisible whitespace-nowrap" : "whitespace-nowrap"}>
      {text ?? "00:00"} your time
    </span>
  )
}
