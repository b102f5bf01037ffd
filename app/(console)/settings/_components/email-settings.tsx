"use client"
import { ActionButton } from "@/components/form/action-button"
import { FormField } from "@/components/form/form-field"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { Time } from "@/components/ui/time"
import type { PendingEmail } from "@/lib/shared/accounts/closing"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { cancelEmailAction, changeEmailAction } from "../actions"

const changeForm = (email: string) =>
  dialogForm({
    title: "Change e-mail address",
    description: `We mail a link to ${email} and one to the new address. Your address changes once both links were opened, within an hour and on any device. Your sessions and accounts stay.`,
    schema: async () => (await import("@/lib/shared/accounts/closing")).ChangeEmailInput,
    defaultValues: { email: "" },
    action: changeEmailAction,
    submitLabel: "Send both links",
    pendingLabel: "Sending…",
    fields: (form) => (
      <FormField
        form={form}
        name="email"
        label="New e-mail address"
        type="email"
        inputMode="email"
        spellCheck={false}
        required
      />
    ),
  })

/** Shows the user's address, changes it, and shows a change that waits for its two confirmations. */
export function EmailSettings({ email, pending }: { email: string; pending: PendingEmail | null }) {
  const { show, dialog } = useFormDialog()
  return (
    <div className="flex flex-col gap-3">
      <p className="break-all">{email}</p>
      {pending ? <PendingChange email={email} pending={pending} /> : null}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" {...preloadFormDialog} onClick={() => show(changeForm(email))}>
          Change address
        </Button>
        <LinkButton href="/settings/passkeys" variant="secondary">
          Passkeys
        </LinkButton>
      </div>
      {dialog}
    </div>
  )
}

function PendingChange({ email, pending }: { email: string; pending: PendingEmail }) {
  const open = [...(pending.isOldConfirmed ? [] : [email]), ...(pending.isNewConfirmed ? [] : [pending.email])]
  return (
    <Alert
      role="status"
      title={`Changing to ${pending.email}`}
      action={
        <ActionButton action={cancelEmailAction} input={{}} pendingLabel="Cancelling…" size="sm">
          Cancel change
        </ActionButton>
      }
    >
      Open the link that we mailed to {open.join(" and the one to ")}. The links work until{" "}
      <Time at={pending.expiresAt} as="minute" /> UTC.
    </Alert>
  )
}
