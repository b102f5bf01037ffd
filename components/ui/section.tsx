import clsx from "clsx"
import type { ReactNode } from "react"

interface SectionProps {
  /** The id of the heading, which links and focus can lead to. */
  id: string
  title: ReactNode
  hint?: ReactNode
  /** Stands to the right of the heading. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** Renders a part of a page under its heading. */
export function Section({ id, title, hint, action, className, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={clsx("flex min-w-0 flex-col gap-4", className)}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h2
            id={id}
            tabIndex={-1}
            className="flex scroll-mt-5 flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-lg outline-none"
          >
            {title}
          </h2>
          {hint ? <p className="mt-1 max-w-text text-ink-muted">{hint}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
