"use client"
import { useSyncExternalStore } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { Skeleton } from "@/components/ui/skeleton"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { AuthHeading } from "../../../_components/auth-heading"

function onHashChange(changed: () => void): () => void {
  window.addEventListener("hashchange", changed)
  return () => window.removeEventListener("hashchange", changed)
}

// Browsers do not send the fragment to the server, so it is null during server rendering.
const useFragment = (): string | null =>
  useSyncExternalStore<string | null>(
    onHashChange,
    () => window.location.hash.slice(1),
    () => null,
  )

/**
 * Shows which user signs in, and submits only on the button. A mail scanner that opens the page does not use up the
 * link.
 */
export function ConfirmLink({ signedInAs }: { signedInAs: string | null }) {
  const fragment = useFragment()
  if (fragment === null) return <LinkLoading />
  const link = new URLSearchParams(fragment)
  const email = parseEmailAddress(link.get("e"))
  const token = link.get("t")
  if (!email || !token) return <IncompleteLink />
  return (
    <>
      <AuthHeading title="Sign in">
        Continue as <strong className="break-words font-medium text-ink">{email}</strong>
      </AuthHeading>
      {signedInAs && signedInAs !== email ? (
        <Alert title="You are already signed in">
          This browser is signed in as {signedInAs}. Signing in as another user signs {signedInAs} out.
        </Alert>
      ) : null}
      <form method="post" action="/api/auth/callback/email" className="flex flex-col gap-3">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={link.get("n") ?? ""} />
        <Button type="submit">Sign in</Button>
        <p className="text-ink-muted">Not you? Close this page. Nothing happens until you select the button.</p>
      </form>
    </>
  )
}

function LinkLoading() {
  return (
    <>
      <AuthHeading title="Sign in">Reading your link…</AuthHeading>
      <noscript>
        <Alert tone="warn" title="This page needs JavaScript">
          The secret in your link is read only in your browser, so that mail scanners cannot use it. Allow JavaScript
          for this page and reload it.
        </Alert>
      </noscript>
      <Skeleton className="h-9 w-full" />
    </>
  )
}

function IncompleteLink() {
  return (
    <>
      <AuthHeading title="This link is incomplete">
        The end of the link is missing. Some e-mail programs cut long links. Copy the whole link from the e-mail, or
        request a new one.
      </AuthHeading>
      <LinkButton href="/sign-in" className="self-start">
        Request a new link
      </LinkButton>
    </>
  )
}
