"use client"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"

interface ErrorPageProps {
  error: Error & { digest?: string }
  reset: () => void
}

/** A fixed text: what was thrown may say more than a visitor should read. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main
      id="content"
      className="mx-auto flex min-h-[60dvh] max-w-prose flex-col items-start justify-center gap-4 px-5"
    >
      <p className="font-mono text-ink-muted text-sm">500 internal_error</p>
      <h1 className="font-semibold text-lg">This page failed on our side</h1>
      <p className="text-ink-muted">
        Nothing was charged. Try again; if it fails once more, send the operator this reference:{" "}
        <span className="font-mono text-ink">{error.digest ?? "none was given"}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={reset}>Try again</Button>
        <LinkButton href="/" variant="secondary">
          Start page
        </LinkButton>
      </div>
    </main>
  )
}
