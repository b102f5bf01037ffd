"use client"
import { useAction } from "@/components/form/call-action"
import { FormField } from "@/components/form/form-field"
import { Support } from "@/components/site/support"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import type { OwnedAccount } from "@/lib/shared/accounts/closing"
import { formatBalance } from "@/lib/shared/format"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { checkExportAction, closeAccountAction, deleteUserAction } from "../actions"
import { ClearedWork } from "./local-work"
import { Setting } from "./setting"

const KEPT = "The ledger of payments and charges is kept for as long as the operator must, without names and addresses."

/** Lets an owner download the account, from `href`. */
export function ExportData({ href }: { href: string }) {
  const { run, error, pending } = useAction(checkExportAction, () => window.location.assign(href))
  const label = "Export account data"
  return (
    <Setting
      id="export"
      title="Your data"
      hint="Everything that is stored about this account, as JSON and CSV, without secrets."
    >
      <ConfirmOrError error={error} submitLabel={label} />
      <Button variant="secondary" pending={pending} pendingLabel="Preparing…" onClick={() => run({})}>
        {label}
      </Button>
    </Setting>
  )
}

interface ClosingAccount {
  name: string
  balanceUsd: string
  keyCount: number
  otherMembers: number
}

function Lost({ balanceUsd }: { balanceUsd: string }) {
  if (Number(balanceUsd) <= 0) return null
  return (
    <Alert tone="warn" title={`${formatBalance(balanceUsd)} of credit remains`}>
      It cannot be used afterwards, and closing does not pay it back. Ask <Support /> first if you want a refund.
    </Alert>
  )
}

const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`

const closeForm = ({ name, balanceUsd, keyCount, otherMembers }: ClosingAccount) => {
  const keys =
    keyCount === 0 ? "" : ` Its ${count(keyCount, "API key stops", "API keys stop")} working within two seconds.`
  const others = otherMembers === 0 ? "" : ` ${count(otherMembers, "other member loses", "other members lose")} access.`
  return dialogForm({
    title: `Close “${name}”`,
    description: `Nobody can open it again.${keys}${others} Its name, billing details, members, invitations, tokens, and the names, notes and restrictions of its keys are erased. ${KEPT}`,
    schema: async () => (await import("@/lib/shared/accounts/closing")).CloseAccountInput,
    defaultValues: { name: "" },
    action: closeAccountAction,
    onDone: () => window.location.assign("/sign-in?problem=closed"),
    submitLabel: "Close account",
    pendingLabel: "Closing…",
    isDanger: true,
    fields: (form) => (
      <>
        <Lost balanceUsd={balanceUsd} />
        <FormField
          form={form}
          name="name"
          label={`Type “${name}” to confirm`}
          spellCheck={false}
          autoCapitalize="none"
          required
        />
      </>
    ),
  })
}

/** Lets an owner close the account, and explains what is kept and what is erased. */
export function CloseAccount(account: ClosingAccount) {
  const { show, dialog } = useFormDialog()
  return (
    <Setting id="close-account" title="Close account" hint="Ends this account for everyone. You keep your sign-in.">
      <Button variant="secondary" {...preloadFormDialog} onClick={() => show(closeForm(account))}>
        Close account
      </Button>
      {dialog}
    </Setting>
  )
}

const SIGN_OUT_FORM = "deleted-user"

const namesOf = (accounts: OwnedAccount[]): string =>
  new Intl.ListFormat("en").format(accounts.map(({ name }) => `“${name}”`))

function deleteForm(email: string, alone: OwnedAccount[]) {
  const closed =
    alone.length === 0
      ? ""
      : ` Nobody else is in ${namesOf(alone)}, so that is closed, and its API keys stop working within two seconds.`
  return dialogForm({
    title: `Delete the user ${email}`,
    description: `You are signed out everywhere and leave every account.${closed} Cards that you saved are removed, and automatic top-up with them ends. Your address, sessions and client addresses are erased. Keys, tokens and webhooks that you created in accounts of others keep working until an owner ends them. ${KEPT}`,
    schema: async () => (await import("@/lib/shared/accounts/closing")).DeleteUserInput,
    defaultValues: { email: "" },
    action: deleteUserAction,
    onDone: () => {
      const form = document.getElementById(SIGN_OUT_FORM)
      if (form instanceof HTMLFormElement) form.submit()
    },
    submitLabel: "Delete user",
    pendingLabel: "Deleting…",
    isDanger: true,
    fields: (form) => (
      <>
        {alone.map(({ id, balanceUsd }) => (
          <Lost key={id} balanceUsd={balanceUsd} />
        ))}
        <ClearedWork />
        <FormField
          form={form}
          name="email"
          label="Type your e-mail address to confirm"
          type="email"
          spellCheck={false}
          required
        />
      </>
    ),
  })
}

/** Lets a user delete themselves and the accounts that nobody else is in. The only owner of a shared account cannot. */
export function DeleteUser({ email, owned }: { email: string; owned: OwnedAccount[] }) {
  const { show, dialog } = useFormDialog()
  const shared = owned.filter(({ others }) => others > 0)
  const alone = owned.filter(({ others }) => others === 0)
  return (
    <Setting id="delete-user" title="Delete user" hint="Erases you from this service, in every account.">
      {shared.length > 0 ? (
        <Alert>
          You are the only owner of {namesOf(shared)}, which has other members. Make one of them an owner, or close the
          account first.
        </Alert>
      ) : (
        <Button variant="secondary" {...preloadFormDialog} onClick={() => show(deleteForm(email, alone))}>
          Delete user
        </Button>
      )}
      {/* Deletes this browser's session cookie and clears its storage, which only a response can do. */}
      <form id={SIGN_OUT_FORM} method="post" action="/api/auth/signout" hidden>
        <input type="hidden" name="reason" value="deleted" />
        <input type="hidden" name="clear" value="on" />
      </form>
      {dialog}
    </Setting>
  )
}
