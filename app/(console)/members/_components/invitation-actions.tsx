"use client"
import { useState } from "react"
import { RowMenu } from "@/components/ui/row-menu"
import { FormDialog } from "../../_components/form-dialog"
import { resendInvitationAction, revokeInvitationAction } from "../actions"
import { CONFIRM_REASON } from "./invite-button"

/** Renders the menu of one invitation. */
export function InvitationActions({ id, email }: { id: string; email: string }) {
  const [step, setStep] = useState<{ act: "resend" | "revoke"; opener: HTMLElement | null } | null>(null)
  const act = step?.act
  const close = () => setStep(null)
  const common = {
    opener: step?.opener,
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
          { label: "Send again", onSelect: (opener) => setStep({ act: "resend", opener }) },
          { label: "Revoke", isDanger: true, onSelect: (opener) => setStep({ act: "revoke", opener }) },
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
