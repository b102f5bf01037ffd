import clsx from "clsx"
import Link from "next/link"
import type { ComponentProps } from "react"

/** A link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={clsx("text-accent underline decoration-1 underline-offset-2 hover:text-accent-strong", className)}
    />
  )
}
