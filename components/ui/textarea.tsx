"use client"
import clsx from "clsx"
import type { ComponentProps } from "react"
import { hasLongRun } from "@/lib/shared/long-runs"
import { useFieldControl } from "./field"
import { controlClass } from "./input"

interface TextareaProps extends ComponentProps<"textarea"> {
  /** Uses the monospace font, for JSON and code. */
  mono?: boolean
}

/** Returns the attribute `wrap`. A text area cannot cut a long run into parts, so it does not wrap a text with one. */
export const wrapOf = (value: unknown): "off" | undefined =>
  typeof value === "string" && hasLongRun(value) ? "off" : undefined

/** Renders a text control of several lines. Its text runs in the direction of its first letter, but code from left to right. */
export function Textarea({ mono, rows = 4, className, ...rest }: TextareaProps) {
  return (
    <textarea
      {...useFieldControl()}
      rows={rows}
      dir={mono ? "ltr" : "auto"}
      wrap={wrapOf(rest.value)}
      {...rest}
      className={clsx(controlClass, "resize-y py-2", mono && "font-mono sm:text-sm", className)}
    />
  )
}
