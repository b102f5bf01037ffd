import clsx from "clsx"
import type { ReactNode } from "react"

interface MeterProps {
  /** The used part, 0 to 1 or more. */
  value: number
  /** Always shown, and says it in words: "$4.20 of $10.00 used (42%)". */
  label: ReactNode
  className?: string
}

/** How much of a limit is used: amber from 80 %, red from 100 %. */
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
