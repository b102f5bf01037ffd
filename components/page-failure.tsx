import type { ReactNode } from "react"
import { LinkButton } from "./ui/link-button"

interface PageFailureProps {
  /** What Next calls the digest: it stands beside the cause in the log. */
  reference: string | undefined
  /** How to try again. */
  action: ReactNode
}

/** A page that failed. A fixed text: what was thrown may say more than a visitor should read. */
export function PageFailure({ reference, action }: PageFailureProps) {
  return (
    <div className="flex max-w-text flex-col items-start gap-4 py-10">
      <p className="font-mono text-ink-muted text-sm">500 internal_error</p>
      <h1 className="font-semibold text-lg">This page failed on our side</h1>
      <p className="text-ink-muted">
        Nothing was charged. Try again; if it fails once more, send the operator this reference:{" "}
        <span className="font-mono text-ink">{reference ?? "none was given"}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {action}
        <LinkButton href="/" variant="secondary">
          Start page
        </LinkButton>
      </div>
    </div>
  )
}
