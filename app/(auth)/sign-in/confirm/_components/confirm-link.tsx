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

// The server never receives the fragment, so it is null until the browser has read it.
const useFragment = (): string | null =>
  useSyncExternalStore<string | null>(
    onHashChange,
    () => window.location.hash.slice(1),
    () => null,
  )

/** Asks for a click before the sign-in, so that a mail scanner that opens the link does not consume it. */
export function ConfirmLink({ signedInAs }: { signedInAs: string | null }) {
  const fragment = useFragment()
  if (fragment === null) return <Reading />
  const link = new URLSearchParams(fragment)
  const email = parseEmailAddress(link.get("e"))
  const token = link.get("t")
  if (!email || !token) return <Incomplete />
  return (
    <>
      <AuthHeading title="Sign in">
        Continue as <strong className="break-words font-medium text-ink">{email}</strong>
      </AuthHeading>
      {signedInAs && signedInAs !== email ? (
        <Alert title="You are signed in already">
          This browser is signed in as {signedInAs}. This sign-in replaces that session.
        </Alert>
      ) : null}
      <form method="post" action="/api/auth/callback/email" className="flex flex-col gap-3">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={link.get("n") ?? ""} />
        <Button type="submit">Sign in</Button>
        <p className="text-ink-muted">
          If this is not you, close this page. Nothing happens until you click the button.
        </p>
      </form>
    </>
  )
}

function Reading() {
  return (
    <>
      <AuthHeading title="Sign in">Reading your link…</AuthHeading>
      <noscript>
        <Alert tone="warn" title="This page needs JavaScript">
          Your browser reads the link&apos;s secret, so that no server or scanner sees it. Allow JavaScript for this
          page and reload it.
        </Alert>
      </noscript>
      <Skeleton className="h-9 w-full" />
    </>
  )
}

function Incomplete() {
  return (
    <>
      <AuthHeading title="This link is incomplete">
        The end of the link is missing. Copy the whole link from the message, or request a new one.
      </AuthHeading>
      <LinkButton href="/sign-in" className="self-start">
        Request a new link
      </LinkButton>
    </>
  )
}
