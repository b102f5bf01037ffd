import clsx from "clsx"
import Link from "next/link"
import type { ComponentProps } from "react"
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button"

interface LinkButtonProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant
  size?: ButtonSize
}

export function LinkButton({ variant, size, className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={clsx(buttonClass(variant, size), className)} />
}
