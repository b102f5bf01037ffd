import type { Metadata } from "next"
import { headers } from "next/headers"
import { redirect } from "next/navigation"
import { TextLink } from "@/components/ui/text-link"
import { isOutboxOpen } from "@/lib/server/auth/outbox-access"
import { returnPath, signInPath } from "@/lib/server/auth/return-path"
import { findSession } from "@/lib/server/auth/session"
import { findSignInState } from "@/lib/server/auth/sign-in-state"
import { runtime } from "@/lib/server/platform/runtime"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { AuthHeading } from "../../_components/auth-heading"
import { Resend } from "./_components/resend"

export const metadata: Metadata = { title: "Check your e-mail" }

export default async function CheckPage({ searchParams }: PageProps<"/sign-in/check">) {
  const { next } = await searchParams
  if (await findSession()) redirect(returnPath(next))
  const { email, sentAtMs, retryAtMs = 0 } = await findSignInState(runtime())
  if (!email) redirect(signInPath(next))
  const isOpen = runtime().env.SIGN_UP === "open"
  return (
    <>
      <AuthHeading title="Check your e-mail">
        {sentAtMs ? "We sent " : "We recently sent "}
        {/* With restricted sign-up, the page must not reveal whether the address is a user's. */}
        {isOpen ? "a sign-in link" : "an e-mail"} to{" "}
        <strong className="break-words font-medium text-ink">{email}</strong>.{" "}
        {isOpen ? "It" : "If the address may sign in, it contains a link that"} works once, for {LINK_MINUTES} minutes.
        {sentAtMs ? "" : " If you have already used it, send another one below."}
      </AuthHeading>
      {isOutboxOpen(runtime(), await headers()) ? (
        <p className="text-md">
          This service has no mail server. <TextLink href="/outbox">Open the outbox</TextLink> to read the e-mail.
        </p>
      ) : !runtime().env.EMAIL_SERVER ? (
        <p className="text-md">
          This service has no mail server. To read the e-mail, open the outbox address that the service printed in its
          terminal at start.
        </p>
      ) : (
        <p className="text-ink-muted">No e-mail after two minutes? Check your spam folder, or send it again.</p>
      )}
      <Resend email={email} next={returnPath(next)} waitMs={Math.max(0, retryAtMs - Date.now())} />
      <p>
        <TextLink alone href={signInPath(next)}>
          Use another address
        </TextLink>
      </p>
    </>
  )
}
