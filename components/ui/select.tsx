"use client"
import clsx from "clsx"
import { ChevronDown } from "lucide-react"
import type { ComponentProps } from "react"
import { useFieldControl } from "./field"
import { controlClass } from "./input"

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...useFieldControl()}
        {...rest}
        className={clsx(controlClass, "h-9 appearance-none truncate pr-9 pointer-coarse:min-h-11")}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-ink-muted"
      />
    </span>
  )
}
