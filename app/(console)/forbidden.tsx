import { FailurePage } from "@/components/failure-page"
import { LinkButton } from "@/components/ui/link-button"
import { findSession } from "@/lib/server/auth/session"
import { ROLES } from "@/lib/shared/accounts/roles"

/** Shown with status 403 when the user's role in the account does not include the page. */
export default async function ForbiddenPage() {
  const actor = await findSession()
  return (
    <FailurePage
      code="403 forbidden"
      title="Your role does not include this page"
      action={<LinkButton href="/settings">Open settings</LinkButton>}
    >
      {actor ? <>You are {ROLES[actor.role].noun} in this account. </> : null}
      Ask an owner of the account for another role.
    </FailurePage>
  )
}
