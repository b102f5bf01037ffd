"use client"
import { useState } from "react"
import { RowMenu } from "@/components/ui/row-menu"
import { FormDialog } from "../../_components/form-dialog"
import { resendInvitationAction, revokeInvitationAction } from "../actions"
import { CONFIRM_REASON } from "./invite-button"

/** Renders the menu of one invitation. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const [act, setAct] = useState<"resend" | "revoke" | null>(null)
  const close = () => setAct(null)
  const common = {
    onClose: close,
    onDone: close,
    schema: async () => (await import("@/lib/shared/accounts/members")).InvitationInput,
    defaultValues: () => ({ id }),
    confirmReason: CONFIRM_REASON,
  }
  return (
    <>
      <RowMenu
        label={`Actions for ${email}`}
        actions={[
          { label: "Send again", onSelect: () => setAct("resend") },
          { label: "Revoke", isDanger: true, onSelect: () => setAct("revoke") },
        ]}
      />
      <FormDialog
        {...common}
        open={act === "resend"}
        title="Send the invitation again"
        description={`${email} gets another e-mail, and the invitation is valid for 7 more days.`}
        action={resendInvitationAction}
        submitLabel="Send invitation"
        pendingLabel="Sending…"
      />
      <FormDialog
        {...common}
        open={act === "revoke"}
        title="Revoke invitation"
        description={`${email} can no longer join. You can send another invitation later.`}
        action={revokeInvitationAction}
        submitLabel="Revoke invitation"
        pendingLabel="Revoking…"
      />
    </>
  )
}
