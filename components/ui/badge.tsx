import clsx from "clsx"
import type { ReactNode } from "react"

export type BadgeTone = "neutral" | "accent" | "ok" | "warn" | "danger"

const TONES: Record<BadgeTone, string> = {
  neutral: "border-line bg-sunken text-ink-muted",
  accent: "border-transparent bg-accent-soft text-accent-strong",
  ok: "border-transparent bg-ok-soft text-ok",
  warn: "border-transparent bg-warn-soft text-warn",
  danger: "border-transparent bg-danger-soft text-danger",
}

interface BadgeProps {
  tone?: BadgeTone
  /** Explains the status in a line below. */
  note?: ReactNode
  children: ReactNode
}

/** Shows a status in one or two words. The colour only repeats the text. */
export function Badge({ tone = "neutral", note, children }: BadgeProps) {
  const badge = (
    <span
      className={clsx(
        "inline-flex items-center whitespace-nowrap rounded border px-1.5 font-medium text-xs leading-5",
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
  if (!note) return badge
  return (
    <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
      {badge}
      <span className="wrap-anywhere text-sm">{note}</span>
    </span>
  )
}
