import clsx from "clsx"
import type { ReactNode } from "react"

interface PageHeaderProps {
  /** The way back, on a page within another. */
  back?: ReactNode
  title: string
  /** One sentence saying what the page is for. */
  children: ReactNode
  /** The page's main action. */
  action?: ReactNode
}

/** The head of every page: title, one sentence, the main action at the right. */
export function PageHeader({ back, title, children, action }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pb-6">
      <div className="min-w-0 flex-1 basis-64">
        {back}
        <h1 className={clsx("font-semibold text-lg", back && "mt-1")}>{title}</h1>
        <p className="mt-1 max-w-text text-ink-muted">{children}</p>
      </div>
      {action}
    </header>
  )
}
