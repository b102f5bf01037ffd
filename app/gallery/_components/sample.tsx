import type { ReactNode } from "react"

/** Renders samples under the name of what they show. */
export function Samples({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="font-semibold text-md">{title}</h2>
      {children}
    </section>
  )
}

/** Renders samples of one component in a row. */
export function Sample({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-mono text-ink-muted text-sm">{of}</h3>
      <div className="flex flex-wrap items-start gap-3">{children}</div>
    </div>
  )
}
