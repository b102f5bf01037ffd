"use client"
import clsx from "clsx"
import type { ComponentProps } from "react"
import { useFieldControl } from "./field"
import { controlClass } from "./input"

interface TextareaProps extends ComponentProps<"textarea"> {
  /** For JSON and code. */
  mono?: boolean
}

/** A text control of several lines; inside a `Field` it is labelled by it. */
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
