"use client"
import clsx from "clsx"
import type { ComponentProps } from "react"
import { useFieldControl } from "./field"

/** The classes of all text controls. On phones text is 16 px, so that browsers do not zoom in. */
export const controlClass = clsx(
  "w-full rounded-md border border-line-strong bg-surface px-3 text-ink text-md sm:text-base",
  "placeholder:text-ink-muted aria-invalid:border-danger",
  "[&[readonly]]:bg-sunken disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-muted",
)

interface InputProps extends ComponentProps<"input"> {
  /** Uses the monospace font, for ids, keys and code. */
  mono?: boolean
}

/** Renders a one-line text control, labelled by the `Field` around it. Its text runs in the direction of its first letter. */
export function Input({ mono, className, ...rest }: InputProps) {
  return (
    <input
      {...useFieldControl()}
      dir="auto"
      {...rest}
      className={clsx(controlClass, "h-9 pointer-coarse:min-h-11", mono && "font-mono", className)}
    />
  )
}
