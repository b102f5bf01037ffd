import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { listOwnAccounts } from "@/lib/server/accounts/account-name"
import { returnPath, signInPath } from "@/lib/server/auth/return-path"
import { findSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { AuthHeading } from "../../_components/auth-heading"

export const metadata: Metadata = { title: "Open account" }

/**
 * Opens a page in the account that a link names. When the session is in another account, asks before it switches, because a link
 * must not change what other tabs show. Says so when the user is not a member.
 */
export default async function OpenPage({ params, searchParams }: PageProps<"/open/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams])
  const next = returnPath(query.next)
  const actor = (await findSession()) ?? redirect(signInPath(`/open/${id}?${new URLSearchParams({ next })}`))
  const accounts = await listOwnAccounts(runtime(), actor)
  const [linked, current] = [accounts.find((own) => own.id === id), accounts.find(({ isCurrent }) => isCurrent)]
  if (linked?.isCurrent) redirect(next)
  return (
    <>
      <AuthHeading title={linked ? `Switch to “${linked.name}”?` : "This link is not for you"}>
        {linked
          ? `The page that you open belongs to “${linked.name}”. You are in “${current?.name}” now.`
          : `You are signed in as ${actor.email}, who is not a member of the account that the link belongs to. It may have been closed, or you sign in to it with another address.`}
      </AuthHeading>
      <form method="post" action="/api/auth/account" className="flex flex-wrap gap-2">
        <input type="hidden" name="next" value={next} />
        {linked ? (
          <Button type="submit" name="account" value={linked.id}>
            Switch account
          </Button>
        ) : null}
        {/* The current account does not have the linked key, so the button opens the list of its keys. */}
        <LinkButton href={next.startsWith("/keys/") ? "/keys" : next} variant="secondary">
          {linked ? `Stay in “${current?.name}”` : "Open the console"}
        </LinkButton>
      </form>
    </>
  )
}
