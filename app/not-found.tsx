import type { Metadata } from "next"
import { LinkButton } from "@/components/ui/link-button"

export const metadata: Metadata = { title: "Page not found" }

export default function NotFound() {
  return (
    <main id="content" className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-5">
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
    </main>
  )
}
