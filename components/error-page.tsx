"use client"
import { type ReactNode, useTransition } from "react"
import { FailurePage } from "./failure-page"
import { Support } from "./site/support"
import { useRetries } from "./timing/use-retries"
import { Button } from "./ui/button"
import { useRequestId } from "./use-request-id"

export interface ErrorPageProps {
  /** The digest is a reference that Next also logs, beside the cause. */
  error: Error & { digest?: string }
  retry: () => void
  title?: string
  /** Says what is known and what to do. The page adds when it loads again, and the request's id. */
  advice?: ReactNode
}

/**
 * Renders the page for a failed render. Its text is fixed, because the error may contain data that a visitor must not
 * see.
 */
export function ErrorPage({ error, ...rest }: ErrorPageProps) {
  // Only an error of the server has a digest.
  if (error.digest === undefined) return <BrowserErrorPage />
  return <ServerErrorPage {...rest} digest={error.digest} />
}

interface ServerErrorPageProps extends Omit<ErrorPageProps, "error"> {
  digest: string
}

function ServerErrorPage({ digest, retry, title = "This page failed on our side", advice }: ServerErrorPageProps) {
  const [isRetrying, startTransition] = useTransition()
  const requestId = useRequestId()
  const tryAgain = () => startTransition(retry)
  useRetries(tryAgain)
  return (
    <FailurePage
      code="500 internal_error"
      title={title}
      action={
        <Button pending={isRetrying} pendingLabel="Trying again…" onClick={tryAgain}>
          Try again
        </Button>
      }
    >
      {advice} The page loads again by itself when the service is back. If it keeps failing, send <Support /> this{" "}
      {requestId === null ? "reference" : "request id"}:{" "}
      <span className="break-all font-mono text-ink">{requestId ?? digest}</span>
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
