"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { cardText } from "@/lib/shared/accounts/card-text"
import type { MemberCard } from "@/lib/shared/accounts/members"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { leaveAccountAction, renameAccountAction } from "../actions"

/** Renames the account. Members and invited people see the name. */
export function AccountName({ name }: { name: string }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/accounts/members")).RenameAccountInput}
      // An account without a name shows its first owner's address, which is no valid name.
      defaultValues={{ name: name.includes("@") ? "" : name }}
      action={renameAccountAction}
      label="Save name"
      saved="The name was saved."
      className="max-w-sm"
      fields={(form) => <FormField form={form} name="name" label="Account name" required />}
    />
  )
}

interface LeaveAccountProps {
  name: string
  isOnlyOwner: boolean
  card: MemberCard
}

const leaveForm = ({ name, card }: LeaveAccountProps) =>
  dialogForm({
    title: `Leave “${name}”`,
    description: `You lose access at once and are signed out. Keys, tokens and webhooks that you created keep working until an owner ends them. An owner can invite you again.${cardText(card, "You")}`,
    defaultValues: {},
    action: leaveAccountAction,
    onDone: () => window.location.assign("/sign-in"),
    submitLabel: "Leave account",
    pendingLabel: "Leaving…",
  })

/** Lets a member leave the account, and explains what that means. The only owner cannot leave. */
export function LeaveAccount(props: LeaveAccountProps) {
  const { show, dialog } = useFormDialog()
  if (props.isOnlyOwner)
    return <Alert>You are the only owner, so you cannot leave. Make another member an owner under Members first.</Alert>
  return (
    <>
      <Button variant="secondary" {...preloadFormDialog} onClick={() => show(leaveForm(props))}>
        Leave account
      </Button>
      {dialog}
    </>
  )
}
