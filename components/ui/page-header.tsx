import clsx from "clsx"
import type { ReactNode } from "react"
import { Link } from "@/components/link/link"

interface PageHeaderProps {
  /** A `BackLink`, on a page below another. */
  back?: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
  /** Puts title and sentence in one line from 1024 px, on a page that is as high as the window. */
  isCompact?: boolean
}

/** Renders the head of every page: title, one sentence, and the main action on the right. */
export function PageHeader({ back, title, children, action, isCompact = false }: PageHeaderProps) {
  return (
    <header
      className={clsx(
        "flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pb-6",
        isCompact && "lg:items-center lg:pb-3",
      )}
    >
      <div className={clsx("min-w-0 flex-1 basis-64", isCompact && "lg:flex lg:items-baseline lg:gap-4")}>
        {back}
        <h1 className={clsx("font-semibold text-xl", isCompact && "lg:text-lg", back && "mt-1")}>{title}</h1>
        <p className="mt-1 max-w-text text-ink-muted">{children}</p>
      </div>
      {action}
    </header>
  )
}

export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="rounded-sm text-ink-muted text-sm hover:text-ink print:hidden pointer-coarse:py-3.5">
      ← {children}
    </Link>
  )
}
