import type { ReactNode } from "react"

interface FactProps {
  label: string
  /** A second, muted line. */
  hint?: ReactNode
  children: ReactNode
}

/** Renders one value under its label. Belongs in a `dl`, such as `Facts`. */
export function Fact({ label, hint, children }: FactProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-ink-muted text-sm">{label}</dt>
      <dd className="min-w-0 break-words tabular-nums">
        {children}
        {hint ? <span className="block text-ink-muted text-sm">{hint}</span> : null}
      </dd>
    </div>
  )
}

export function Facts({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="border-line border-y py-5">
      <dl className="grid grid-cols-2 gap-x-8 gap-y-5 lg:grid-cols-4">{children}</dl>
    </section>
  )
}
