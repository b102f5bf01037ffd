import type { Metadata } from "next"
import { SubmitButton } from "@/components/form/submit-button"
import { LinkButton } from "@/components/ui/link-button"
import { requireSession } from "@/lib/server/auth/session"
import { findInvitation } from "@/lib/server/members/accept-invitation"
import { runtime } from "@/lib/server/platform/runtime"
import { ROLES } from "@/lib/shared/accounts/roles"
import { AuthHeading } from "../../_components/auth-heading"
import { acceptInvitationAction } from "./actions"

export const metadata: Metadata = { title: "Invitation" }

/**
 * Shows an invitation to the user of its address. Only the button accepts it, so mail scanners change nothing. The page is outside
 * the console's layout, which would still show the previous account after joining.
 */
export default async function JoinPage({ params }: PageProps<"/join/[id]">) {
  const { id } = await params
  const actor = await requireSession("/join/[id]", `/join/${id}`)
  const offer = await findInvitation(runtime(), actor, { id })
  if (!offer)
    return (
      <>
        <AuthHeading title="This invitation is not valid for you">
          You are signed in as {actor.email}. The invitation may be for another address, or it was accepted, revoked or
          has expired. Sign in with the address that got the e-mail, or ask for another invitation.
        </AuthHeading>
        <LinkButton href="/settings" variant="secondary">
          Open settings
        </LinkButton>
      </>
    )
  return (
    <>
      <AuthHeading title={`${offer.isTransfer ? "Take over" : "Join"} “${offer.account}”`}>
        {offer.isTransfer
          ? `${offer.invitedBy} offers you (${actor.email}) the ownership. You become an owner, and ${offer.invitedBy} becomes a developer.`
          : `${offer.invitedBy} invited you (${actor.email}) as ${ROLES[offer.role].noun}.`}{" "}
        {ROLES[offer.role].allows}
      </AuthHeading>
      <form action={acceptInvitationAction} className="flex flex-col gap-3">
        <input type="hidden" name="id" value={id} />
        <SubmitButton className="self-start" pendingLabel={offer.isTransfer ? "Accepting…" : "Joining…"}>
          {offer.isTransfer ? "Accept ownership" : "Join account"}
        </SubmitButton>
        {offer.isTransfer ? null : (
          <p className="max-w-text text-ink-muted">
            Your own account stays as it is. You switch between accounts under your e-mail address.
          </p>
        )}
      </form>
    </>
  )
}
