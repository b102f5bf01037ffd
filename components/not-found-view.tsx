import { LinkButton } from "./ui/link-button"

/** An address that leads nowhere, within the frame of wherever it was asked for. */
export function NotFoundView() {
  return (
    <div className="flex max-w-text flex-col items-start gap-4 py-10">
      <p className="font-mono text-ink-muted text-sm">404 not_found</p>
      <h1 className="font-semibold text-lg">There is nothing here</h1>
      <p className="text-ink-muted">
        The address may be mistyped, or what it named is gone or belongs to another account. The playground and your
        keys are in the console.
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/playground">Open console</LinkButton>
        <LinkButton href="/" variant="secondary">
          Start page
        </LinkButton>
      </div>
    </div>
  )
}
