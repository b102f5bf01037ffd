import clsx from "clsx"
import type { ReactNode } from "react"

interface MeterProps {
  /** The used share of the limit; 1 or more when it is used up. */
  value: number
  /** The same as text: "$4.20 spent of $10.00 daily (42%)". */
  label: ReactNode
  className?: string
}

/** Shows the used share of a limit as a bar: amber from 80%, red from 100%. */
export function Meter({ value, label, className }: MeterProps) {
  const part = Math.min(1, Math.max(0, value))
  const percent = Math.round(part * 1000) / 10
  return (
    <div className={clsx("flex min-w-36 flex-col gap-1", className)}>
      <span className="tabular-nums">{label}</span>
      <svg aria-hidden width="100%" height="4" className="block rounded-full">
        <rect width="100%" height="4" className="fill-line" />
        <rect
          width={`${percent}%`}
          height="4"
          className={value >= 1 ? "fill-danger-fill" : value >= 0.8 ? "fill-warn-fill" : "fill-ink-muted"}
        />
      </svg>
    </div>
  )
}
