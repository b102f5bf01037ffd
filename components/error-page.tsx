"use client"
import { FailurePage } from "./failure-page"
import { Support } from "./site/support"
import { Button } from "./ui/button"

export interface ErrorPageProps {
  /** The digest is a reference that Next also logs, beside the cause. */
  error: Error & { digest?: string }
  retry: () => void
  title?: string
  /** Says what is known about money and what to do. The page adds the reference. */
  advice?: string
}

/**
 * Renders the page for a failed render. Its text is fixed, because the error may contain data that a visitor must not
 * see.
 */
export function ErrorPage({
  error,
  retry,
  title = "This page failed on our side",
  advice = "Nothing was charged. Try again.",
}: ErrorPageProps) {
  // Only an error of the server has a digest.
  if (error.digest === undefined) return <BrowserErrorPage />
  return (
    <FailurePage code="500 internal_error" title={title} action={<Button onClick={retry}>Try again</Button>}>
      {advice} If it fails again, send <Support /> this reference:{" "}
      <span className="font-mono text-ink">{error.digest}</span>
    </FailurePage>
  )
}

/** Renders the page for an error in the browser. A tab from before an update requests files of the old version until it is reloaded. */
function BrowserErrorPage() {
  return (
    <FailurePage
      code="page_failed"
      title="This page stopped working"
      action={<Button onClick={() => window.location.reload()}>Reload page</Button>}
    >
      Reload the page. The service may have been updated since you opened it. If the page fails again, ask <Support />.
    </FailurePage>
  )
}
