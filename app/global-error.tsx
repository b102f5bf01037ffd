"use client"
import "./globals.css"
import { useRequestId } from "@/components/use-request-id"

interface GlobalErrorProps {
  error: Error & { digest?: string }
}

/** Replaces the whole document when the root layout fails, so it depends only on the style sheet. */
export default function GlobalError({ error: { digest } }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body className="font-sans">
        <title>Something failed</title>
        <main className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-5">
          {digest === undefined ? <BrowserFailure /> : <ServerFailure digest={digest} />}
          {/* A full page load, because the router itself may have failed. */}
          <a href="/" className="text-accent underline underline-offset-2">
            Go to the start page
          </a>
        </main>
      </body>
    </html>
  )
}

function ServerFailure({ digest }: { digest: string }) {
  const requestId = useRequestId()
  return (
    <>
      <p className="font-mono text-ink-muted text-sm">500 internal_error</p>
      <h1 className="font-semibold text-xl">Something failed on our side</h1>
      <p className="text-ink-muted">
        Reload the page. If it fails again, send the operator this {requestId === null ? "reference" : "request id"}:{" "}
        <span className="break-all font-mono text-ink">{requestId ?? digest}</span>
      </p>
    </>
  )
}

/** Only an error of the server has a digest, and is in the log. */
function BrowserFailure() {
  return (
    <>
      <p className="font-mono text-ink-muted text-sm">page_failed</p>
      <h1 className="font-semibold text-xl">This page stopped working</h1>
      <p className="text-ink-muted">
        Reload the page. The service may have been updated since you opened it. If the page fails again, ask the
        operator.
      </p>
    </>
  )
}
