import clsx from "clsx"
import { Link, type LinkProps } from "@/components/link/link"
import { type ButtonSize, type ButtonVariant, buttonClass } from "./button"

interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant
  size?: ButtonSize
}

export function LinkButton({ variant, size, className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={clsx(buttonClass(variant, size), className)} />
}
