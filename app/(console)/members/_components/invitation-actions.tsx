"use client"
import { RowMenu } from "@/components/ui/row-menu"
import type { InvitationSummary } from "@/lib/shared/accounts/members"
import { useFormDialog } from "../../_components/form-dialog"
import { resendForm, revokeForm } from "./member-forms"

/** Renders the menu of one invitation. */
export function InvitationActions({ invitation }: { invitation: InvitationSummary }) {
  const { show, dialog } = useFormDialog()
  return (
    <>
      <RowMenu
        label={`Actions for ${invitation.email}`}
        actions={[
          { label: "Send again", onSelect: (opener) => show(resendForm(invitation), opener) },
          { label: "Revoke", isDanger: true, onSelect: (opener) => show(revokeForm(invitation), opener) },
        ]}
      />
      {dialog}
    </>
  )
}
