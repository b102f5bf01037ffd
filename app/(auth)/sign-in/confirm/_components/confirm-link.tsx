"use client"
import { useEffect, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { Skeleton } from "@/components/ui/skeleton"
import { confirmationOf, SCOPES } from "@/lib/shared/auth/confirmations"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { AuthHeading } from "../../../_components/auth-heading"

/**
 * Returns the fragment of the page's address: "" when there is none, null during server rendering, because browsers do not
 * send it. Removes it from the address bar at once, so that the secret is in no history, bookmark or screenshot.
 */
function useSecretFragment(): string | null {
  const [fragment, setFragment] = useState<string | null>(null)
  useEffect(() => {
    const take = () => {
      const found = window.location.hash.slice(1)
      setFragment((before) => found || (before ?? ""))
      if (found) window.history.replaceState(null, "", window.location.pathname)
    }
    take()
    window.addEventListener("hashchange", take)
    return () => window.removeEventListener("hashchange", take)
  }, [])
  return fragment
}

/**
 * Shows what a mailed link does: sign in, confirm a change, or confirm an address. Submits only when the user selects the
 * button, so a mail scanner that opens the page does not use up the link.
 */
export function ConfirmLink({ signedInAs, provider }: { signedInAs: string | null; provider: string }) {
  const fragment = useSecretFragment()
  if (fragment === null) return <LinkLoading />
  const link = new URLSearchParams(fragment)
  const email = parseEmailAddress(link.get("e"))
  const change = link.get("c")
  if (email && change)
    return <ConfirmChange token={change} email={email} next={link.get("n") ?? ""} verb={link.get("v")} />
  const mailbox = link.get("m")
  if (email && mailbox) return <ConfirmAddress token={mailbox} email={email} />
  const identity = link.get("i")
  if (email && identity) return <ConfirmIdentity token={identity} email={email} provider={provider} />
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

interface ConfirmChangeProps {
  token: string
  email: string
  next: string
  /** What the browser that requested the link wants to do. */
  verb: string | null
}

/** Asks the user to confirm a change. A different browser may have requested it. */
function ConfirmChange({ token, email, next, verb }: ConfirmChangeProps) {
  const confirmation = confirmationOf(verb)
  if (!confirmation) return <IncompleteLink />
  return (
    <>
      <AuthHeading title="Confirm that it is you">
        Someone signed in as <strong className="break-words font-medium text-ink">{email}</strong> wants to{" "}
        {confirmation.asks}. For 24 hours, that browser may then {SCOPES[confirmation.scope]}.
      </AuthHeading>
      <form method="post" action="/api/auth/callback/confirmation" className="flex flex-col gap-3">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={next} />
        <Button type="submit">Confirm</Button>
        <p className="text-ink-muted">
          Not you? Close this page and sign in. Under Settings, end every session that you do not recognize.
        </p>
      </form>
    </>
  )
}

/** Asks the owner of the old or the new address to confirm a change of address. */
function ConfirmAddress({ token, email }: Omit<ConfirmChangeProps, "next" | "verb">) {
  return (
    <>
      <AuthHeading title="Confirm your address">
        Confirm that <strong className="break-words font-medium text-ink">{email}</strong> is yours, and that you want
        the change of address that the mail describes.
      </AuthHeading>
      <form method="post" action="/api/auth/callback/address" className="flex flex-col gap-3">
        <input type="hidden" name="token" value={token} />
        <Button type="submit">Confirm address</Button>
        <p className="text-ink-muted">Not you? Close this page. Nothing changes until you select the button.</p>
      </form>
    </>
  )
}

/** Asks the user of an address whether a person of the OpenID provider may sign in as this user. */
function ConfirmIdentity({ token, email, provider }: { token: string; email: string; provider: string }) {
  return (
    <>
      <AuthHeading title={`Sign in with ${provider}`}>
        Confirm that you signed in with {provider} as{" "}
        <strong className="break-words font-medium text-ink">{email}</strong> in this browser. From then on, that person
        at {provider} signs in as you.
      </AuthHeading>
      <form method="post" action="/api/auth/callback/identity" className="flex flex-col gap-3">
        <input type="hidden" name="token" value={token} />
        <Button type="submit">Confirm</Button>
        <p className="text-ink-muted">Not you? Close this page. Nothing changes until you select the button.</p>
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
        Open the link in the e-mail again. Reloading this page makes the link incomplete. If that does not help, your
        e-mail program cut the link. Copy the whole link from the e-mail, or request a new one.
      </AuthHeading>
      <LinkButton href="/sign-in" className="self-start">
        Request a new link
      </LinkButton>
    </>
  )
}
