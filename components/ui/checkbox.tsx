import clsx from "clsx"
import type { ComponentProps, ReactNode } from "react"

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode
  hint?: ReactNode
}

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={clsx("flex items-start gap-2.5 pointer-coarse:py-3", className)}>
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span>
        {label}
        {hint ? <span className="block text-ink-muted text-sm">{hint}</span> : null}
      </span>
    </label>
  )
}
