import type { ReactNode } from "react"
import { LinkButton } from "./ui/link-button"

interface FailurePageProps {
  /** Status and error code: "404 not_found". */
  code: string
  title: string
  children: ReactNode
  action: ReactNode
}

export function FailurePage({ code, title, children, action }: FailurePageProps) {
  return (
    <div className="flex max-w-text flex-col items-start gap-4 py-10">
      <p className="font-mono text-ink-muted text-sm">{code}</p>
      <h1 className="font-semibold text-xl">{title}</h1>
      <p className="text-ink-muted">{children}</p>
      <div className="flex flex-wrap gap-2">
        {action}
        <LinkButton href="/" variant="secondary">
          Go to the start page
        </LinkButton>
      </div>
    </div>
  )
}

export function NotFoundPage() {
  return (
    <FailurePage
      code="404 not_found"
      title="Page not found"
      action={<LinkButton href="/playground">Open console</LinkButton>}
    >
      The address may be mistyped, or the page may be gone or belong to another account. Open the console to find the
      playground and your keys.
    </FailurePage>
  )
}
