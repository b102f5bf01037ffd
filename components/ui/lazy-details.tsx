"use client"
import { type ComponentProps, type ReactNode, useState } from "react"

interface LazyDetailsProps extends Omit<ComponentProps<"details">, "onToggle"> {
  summary: ReactNode
  summaryClassName?: string
}

/** A `<details>` that renders its content while it is open: a page with many of them would otherwise render all of it for nobody. */
export function LazyDetails({ summary, summaryClassName, children, ...rest }: LazyDetailsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details {...rest} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={summaryClassName}>{summary}</summary>
      {isOpen ? children : null}
    </details>
  )
}
