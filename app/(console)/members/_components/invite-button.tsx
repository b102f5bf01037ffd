"use client"
import { UserPlus } from "lucide-react"
import { Button } from "@/components/ui/button"
import { preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { useAsked } from "../../_components/use-asked"
import { INVITE } from "./member-forms"

/** Opens the form that invites a person, also for `?invite=1`, and confirms that the invitation was sent. */
export function InviteButton() {
  const { show, dialog } = useFormDialog()
  useAsked("invite", () => show(INVITE))
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button {...preloadFormDialog} onClick={() => show(INVITE)}>
        <UserPlus aria-hidden className="size-4" />
        Invite member
      </Button>
      {dialog}
    </div>
  )
}
