import type { ReactNode } from "react"

/** Renders samples of one component in a row. */
export function Sample({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-mono text-ink-muted text-sm">{of}</h3>
      <div className="flex flex-wrap items-start gap-3">{children}</div>
    </div>
  )
}
