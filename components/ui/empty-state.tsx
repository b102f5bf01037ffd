import type { ReactNode } from "react"

interface EmptyStateProps {
  title: string
  /** Why it is empty, and what will appear here. */
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg border border-line border-dashed px-5 py-8 sm:items-center sm:py-12 sm:text-center">
      <h2 className="font-semibold text-lg">{title}</h2>
      <p className="wrap-anywhere max-w-text text-ink-muted">{children}</p>
      {action}
    </div>
  )
}
