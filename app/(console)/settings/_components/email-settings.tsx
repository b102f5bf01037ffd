"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Time } from "@/components/ui/time"
import type { PendingEmail } from "@/lib/shared/accounts/closing"
import { FormDialog, preloadFormDialog } from "../../_components/form-dialog"
import { cancelEmailAction, changeEmailAction } from "../actions"

/** Shows the user's address, changes it, and shows a change that waits for its two confirmations. */
export function EmailSettings({ email, pending }: { email: string; pending: PendingEmail | null }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <p className="break-all">{email}</p>
      {pending ? <PendingChange email={email} pending={pending} /> : null}
      <Button variant="secondary" className="self-start" {...preloadFormDialog} onClick={() => setOpen(true)}>
        Change address
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Change e-mail address"
        description={`We mail a link to ${email} and one to the new address. Your address changes once both links were opened, within an hour and on any device. Your sessions and accounts stay.`}
        schema={async () => (await import("@/lib/shared/accounts/closing")).ChangeEmailInput}
        defaultValues={() => ({ email: "" })}
        action={changeEmailAction}
        onDone={() => setOpen(false)}
        submitLabel="Send both links"
        pendingLabel="Sending…"
        confirmReason="Changing your address needs a recent sign-in."
        fields={({ register, formState: { errors } }) => (
          <Field label="New e-mail address" error={errors.email?.message} required>
            <Input {...register("email")} type="email" inputMode="email" autoComplete="off" spellCheck={false} />
          </Field>
        )}
      />
    </div>
  )
}

function PendingChange({ email, pending }: { email: string; pending: PendingEmail }) {
  const {
    submit,
    formError,
    pending: isCancelling,
  } = useActionForm({
    schema: async () => (await import("@/lib/shared/accounts/closing")).CancelEmailInput,
    defaultValues: {},
    action: cancelEmailAction,
  })
  const open = [...(pending.isOldConfirmed ? [] : [email]), ...(pending.isNewConfirmed ? [] : [pending.email])]
  return (
    <Alert
      role="status"
      title={`Changing to ${pending.email}`}
      action={
        <form onSubmit={submit} className="flex flex-col gap-2">
          <FormError error={formError} />
          <Button type="submit" variant="secondary" size="sm" pending={isCancelling} pendingLabel="Cancelling…">
            Cancel change
          </Button>
        </form>
      }
    >
      Open the link that we mailed to {open.join(" and the one to ")}. The links work until{" "}
      <Time at={pending.expiresAt} as="minute" /> UTC.
    </Alert>
  )
}
