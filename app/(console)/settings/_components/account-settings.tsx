"use client"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import { useActionForm } from "@/components/form/use-action-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { cardText } from "@/lib/shared/accounts/card-text"
import type { MemberCard } from "@/lib/shared/accounts/members"
import { FormDialog, preloadFormDialog } from "../../_components/form-dialog"
import { leaveAccountAction, renameAccountAction } from "../actions"

/** Renames the account. Members and invited people see the name. */
export function AccountName({ name }: { name: string }) {
  const [isSaved, setSaved] = useState(false)
  const { form, submit, formError, pending } = useActionForm({
    schema: async () => (await import("@/lib/shared/accounts/members")).RenameAccountInput,
    // An account without a name shows its first owner's address, which is no valid name.
    defaultValues: { name: name.includes("@") ? "" : name },
    action: (input) => {
      setSaved(false)
      return renameAccountAction(input)
    },
    onDone: () => setSaved(true),
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-sm flex-col gap-3">
      <Field label="Account name" error={form.formState.errors.name?.message} required>
        <Input {...form.register("name", { onChange: () => setSaved(false) })} autoComplete="off" />
      </Field>
      <FormError error={formError} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="secondary" pending={pending} pendingLabel="Saving…">
          Save name
        </Button>
        <p role="status" className="text-ink-muted text-sm">
          {isSaved ? "The name was saved." : null}
        </p>
      </div>
    </form>
  )
}

interface LeaveAccountProps {
  name: string
  isOnlyOwner: boolean
  card: MemberCard
}

/** Lets a member leave the account, and explains what that means. The only owner cannot leave. */
export function LeaveAccount({ name, isOnlyOwner, card }: LeaveAccountProps) {
  const [open, setOpen] = useState(false)
  if (isOnlyOwner)
    return <Alert>You are the only owner, so you cannot leave. Make another member an owner under Members first.</Alert>
  return (
    <>
      <Button variant="secondary" {...preloadFormDialog} onClick={() => setOpen(true)}>
        Leave account
      </Button>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Leave “${name}”`}
        description={`You lose access at once and are signed out. Keys that you created keep working. An owner can invite you again.${cardText(card, "You")}`}
        schema={async () => (await import("@/lib/shared/accounts/members")).LeaveInput}
        defaultValues={() => ({})}
        action={leaveAccountAction}
        onDone={() => window.location.assign("/sign-in")}
        submitLabel="Leave account"
        pendingLabel="Leaving…"
      />
    </>
  )
}
