"use client"
import "./globals.css"

interface GlobalErrorProps {
  error: Error & { digest?: string }
}

/** Stands in for the whole document when the root layout itself fails, so it relies on nothing but the stylesheet. */
export default function GlobalError({ error }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body className="font-sans">
        <title>Something failed · Decision service</title>
        <main className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-5">
          <p className="font-mono text-ink-muted text-sm">500 internal_error</p>
          <h1 className="font-semibold text-lg">Something failed on our side</h1>
          <p className="text-ink-muted">
            Nothing was charged. Load the page again; if it fails once more, send the operator this reference:{" "}
            <span className="font-mono text-ink">{error.digest ?? "none was given"}</span>
          </p>
          {/* A full load, since what failed may be the router itself. */}
          <a href="/" className="text-accent underline underline-offset-2">
            Start page
          </a>
        </main>
      </body>
    </html>
  )
}
