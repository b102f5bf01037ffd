"use client"
import { UserPlus } from "lucide-react"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { FormDialog, preloadFormDialog } from "../../_components/form-dialog"
import { inviteMemberAction } from "../actions"
import { RoleField } from "./role-field"

export const CONFIRM_REASON = "Changes of members need a recent sign-in."

/** Opens the form that invites a person, and confirms that the invitation was sent. */
export function InviteButton() {
  const [open, setOpen] = useState(false)
  const [isSent, setSent] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div role="status" className="empty:hidden">
        {isSent ? <Alert tone="ok">The invitation was sent.</Alert> : null}
      </div>
      <Button
        {...preloadFormDialog}
        onClick={() => {
          setSent(false)
          setOpen(true)
        }}
      >
        <UserPlus aria-hidden className="size-4" />
        Invite member
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Invite a member"
        description="We e-mail an invitation that is valid for 7 days, for this address only."
        schema={async () => (await import("@/lib/shared/accounts/members")).InviteInput}
        defaultValues={() => ({ email: "", role: "developer" as const })}
        action={inviteMemberAction}
        onDone={() => {
          setOpen(false)
          setSent(true)
        }}
        submitLabel="Send invitation"
        pendingLabel="Sending…"
        confirmReason={CONFIRM_REASON}
        fields={({ register, formState: { errors } }) => (
          <>
            <Field label="E-mail address" error={errors.email?.message} required>
              <Input {...register("email")} type="email" inputMode="email" autoComplete="off" spellCheck={false} />
            </Field>
            <RoleField {...register("role")} error={errors.role?.message} />
          </>
        )}
      />
    </div>
  )
}
