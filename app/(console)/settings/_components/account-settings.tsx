"use client"
import { FormField } from "@/components/form/form-field"
import { SaveForm } from "@/components/form/save-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { cardText } from "@/lib/shared/accounts/card-text"
import type { MemberCard } from "@/lib/shared/accounts/members"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { switchTo } from "../../_components/switch-to"
import { addAccountAction, leaveAccountAction, renameAccountAction } from "../actions"

/** Renames the account. Members and invited people see the name. */
export function AccountName({ name }: { name: string }) {
  return (
    <SaveForm
      schema={async () => (await import("@/lib/shared/accounts/members")).AccountNameInput}
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

const ADD = dialogForm({
  title: "Add an account",
  description:
    "You own the new account and switch to it at once. It starts without credit, keys and members. Keys never move between accounts.",
  schema: async () => (await import("@/lib/shared/accounts/members")).AccountNameInput,
  defaultValues: { name: "" },
  action: addAccountAction,
  onDone: ({ id }) => switchTo(id, "/start"),
  submitLabel: "Add account",
  pendingLabel: "Adding…",
  fields: (form) => <FormField form={form} name="name" label="Account name" required />,
})

/** Adds an account that the user owns, and opens its first steps. */
export function AddAccount() {
  const { show, dialog } = useFormDialog()
  return (
    <>
      <Button variant="secondary" {...preloadFormDialog} onClick={() => show(ADD)}>
        Add account
      </Button>
      {dialog}
    </>
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
