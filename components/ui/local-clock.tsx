"use client"
import { useSyncExternalStore } from "react"

const never = () => () => {}

const clock = (at: string): string =>
  new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(new Date(at))

/**
 * "01:00 your time": a moment by the reader's clock, which the browser alone knows. Until it has said it, its room is kept, so
 * that nothing moves. Give the text around it `tabular-nums`.
 */
export function LocalClock({ at }: { at: string }) {
  const text = useSyncExternalStore<string | null>(
    never,
    () => clock(at),
    () => null,
  )
  return (
    <span className={text === null ? "invisible whitespace-nowrap" : "whitespace-nowrap"}>
      {text ?? "00:00"} your time
    </span>
  )
}
