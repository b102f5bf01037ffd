"use client"
import clsx from "clsx"
import type { ComponentProps } from "react"
import { useFieldControl } from "./field"

/** The look that every text control shares: 16 px on phones, so that nothing zooms. */
export const controlClass = clsx(
  "w-full rounded-md border border-line-strong bg-surface px-3 text-ink text-md sm:text-base",
  "placeholder:text-ink-muted aria-invalid:border-danger",
  "[&[readonly]]:bg-sunken disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-muted",
)

interface InputProps extends ComponentProps<"input"> {
  /** For ids, keys and code. */
  mono?: boolean
}

/** A one-line text control; inside a `Field` it is labelled by it. */
export function Input({ mono, className, ...rest }: InputProps) {
  return (
    <input
      {...useFieldControl()}
      {...rest}
      className={clsx(controlClass, "h-9 pointer-coarse:min-h-11", mono && "font-mono", className)}
    />
  )
}
