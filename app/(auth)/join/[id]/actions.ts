"use server"
import { redirect } from "next/navigation"
import { requireSession } from "@/lib/server/auth/session"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

/** Accepts an invitation and opens the joined account. When it is no longer valid, leads back to its page, which explains that. */
export async function acceptInvitationAction(form: FormData): Promise<void> {
  // A client may call an action with any argument.
  const typed = form instanceof FormData ? form.get("id") : null
  const id = typeof typed === "string" && /^inv_[0-9a-z]{26}$/.test(typed) ? typed : ""
  const actor = await requireSession("/join/[id]", `/join/${id}`)
  const isAccepted = await acceptInvitation(runtime(), actor, { id }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === "not_found") return false
      throw error
    },
  )
  redirect(isAccepted ? "/playground" : `/join/${id}`)
}
