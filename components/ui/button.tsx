import clsx from "clsx"
import type { ComponentProps, ReactNode } from "react"

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger"
export type ButtonSize = "md" | "sm"

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  secondary:
    "border border-line-strong bg-surface text-ink hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong",
  quiet: "text-ink-muted hover:bg-sunken hover:text-ink",
  danger: "bg-danger text-on-danger hover:bg-danger-strong",
}

const SIZES: Record<ButtonSize, string> = { md: "h-9 px-3.5", sm: "h-8 px-2.5 text-sm" }

export const buttonClass = (variant: ButtonVariant = "primary", size: ButtonSize = "md"): string =>
  clsx(
    "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium",
    "pointer-coarse:min-h-11 forced-colors:border",
    "disabled:cursor-not-allowed disabled:opacity-60 aria-busy:cursor-progress aria-busy:opacity-70",
    VARIANTS[variant],
    SIZES[size],
  )

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Marks the button as busy. It keeps the focus, and further presses do nothing. */
  pending?: boolean
  /** Shown while pending, such as "Creating…". */
  pendingLabel?: ReactNode
}

/** Renders a button. Its label must start with a verb. */
export function Button({
  variant,
  size,
  pending = false,
  pendingLabel,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={clsx(buttonClass(variant, size), className)}
    >
      {pending && pendingLabel ? pendingLabel : children}
    </button>
  )
}
