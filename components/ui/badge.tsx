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

/** Shows a status in one or two words. The colour only repeats the text. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "inline-flex items-center whitespace-nowrap rounded border px-1.5 font-medium text-xs leading-5",
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
