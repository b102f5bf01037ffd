"use client"
import clsx from "clsx"
import { type ComponentProps, useEffect, useRef, useState } from "react"
import { formatDate, formatDateTime } from "@/lib/shared/format"
import { Input } from "./input"

const FORMS = {
  date: { empty: "DD Mon YYYY", format: formatDate },
  "datetime-local": { empty: "DD Mon YYYY, hh:mm", format: formatDateTime },
} as const

interface DateInputProps extends ComponentProps<typeof Input> {
  type: keyof typeof FORMS
}

/** Returns a control's value, such as "2026-11-20" or "2026-11-20T15:04", as pages show it. */
function textOf(type: DateInputProps["type"], value: string): string {
  const { empty, format } = FORMS[type]
  const at = new Date(type === "date" ? `${value}T00:00Z` : `${value}Z`)
  return Number.isNaN(at.getTime()) ? empty : format(at)
}

/**
 * Renders the browser's control for a day or a minute. Browsers write days in the order of their own language, so the control shows
 * the page's form until it has the focus. Firefox cannot hide its own text.
 */
export function DateInput({ type, className, ...rest }: DateInputProps) {
  const { value, defaultValue } = rest
  const root = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(String(value ?? defaultValue ?? ""))
  const read = () => setShown(root.current?.querySelector("input")?.value ?? "")
  // A form may set the value of the control itself.
  useEffect(read)
  return (
    <span ref={root} onInput={read} className="group relative block">
      <Input
        type={type}
        {...rest}
        className={clsx(
          "group-not-focus-within:[&::-webkit-date-and-time-value]:opacity-0 group-not-focus-within:[&::-webkit-datetime-edit]:opacity-0",
          className,
        )}
      />
      <span
        aria-hidden
        className={clsx(
          "pointer-events-none absolute inset-y-0 left-3 hidden items-center whitespace-nowrap text-md sm:text-base",
          "supports-[selector(::-webkit-datetime-edit)]:group-not-focus-within:flex",
          shown === "" && "text-ink-muted",
        )}
      >
        {textOf(type, shown)}
      </span>
    </span>
  )
}
