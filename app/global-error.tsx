"use client"
import "./globals.css"

interface GlobalErrorProps {
  error: Error & { digest?: string }
}

/** Replaces the whole document when the root layout fails, so it depends only on the style sheet. */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body className="font-sans">
        <title>Something failed</title>
        <main className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-5">
          <p className="font-mono text-ink-muted text-sm">500 internal_error</p>
          <h1 className="font-semibold text-xl">Something failed on our side</h1>
          <p className="text-ink-muted">
            Reload the page. If it fails again, send the operator this reference:{" "}
            <span className="font-mono text-ink">{error.digest ?? "none"}</span>
          </p>
          {/* A full page load, because the router itself may have failed. */}
          <a href="/" className="text-accent underline underline-offset-2">
            Go to the start page
          </a>
        </main>
      </body>
    </html>
  )
}
