"use client"
import clsx from "clsx"
import type { ComponentProps } from "react"
import { useFieldControl } from "./field"
import { controlClass } from "./input"

interface TextareaProps extends ComponentProps<"textarea"> {
  /** Uses the monospace font, for JSON and code. */
  mono?: boolean
}

export function Textarea({ mono, rows = 4, className, ...rest }: TextareaProps) {
  return (
    <textarea
      {...useFieldControl()}
      rows={rows}
      {...rest}
      className={clsx(controlClass, "resize-y py-2", mono && "font-mono sm:text-sm", className)}
    />
  )
}
