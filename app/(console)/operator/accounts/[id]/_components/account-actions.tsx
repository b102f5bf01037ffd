"use client"
import { v4 } from "uuid"
import { FormField } from "@/components/form/form-field"
import { Button } from "@/components/ui/button"
import { formatBalance } from "@/lib/shared/format"
import { dialogForm, preloadFormDialog, useFormDialog } from "../../../../_components/form-dialog"
import { NOTE_STAYS } from "../../../_components/note-stays"
import { adjustBalanceAction, setAccountRatesAction, setAccountStatusAction } from "../../actions"

export interface ActedAccount {
  /** `acc_…` */
  id: string
  email: string
  status: string
  balanceUsd: string
  requestsPerSecond: number
  requestsPerSecondPerKey: number
}

/** What the operator's role allows. */
export interface MayAct {
  /** Change the balance. */
  finance: boolean
  /** Change the rate limits and the status. */
  operate: boolean
}

/** Renders the changes that an operator may make to an account, and says which one was just made. */
export function AccountActions({ account, may }: { account: ActedAccount; may: MayAct }) {
  const { show, dialog } = useFormDialog()
  const button = (label: string, onPress: () => void, variant: "primary" | "secondary" = "secondary") => (
    <Button variant={variant} {...preloadFormDialog} onClick={onPress}>
      {label}
    </Button>
  )
  const { status } = account
  const statusButtons = (
    <>
      {button("Set rate limits", () => show(ratesForm(account)))}
      {status === "active" ? button("Suspend", () => show(statusForm(account, "suspended"))) : null}
      {status === "suspended" ? button("Resume", () => show(statusForm(account, "active")), "primary") : null}
      {status === "closed" ? null : button("Close account", () => show(statusForm(account, "closed")))}
    </>
  )
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {may.finance ? button("Add credit", () => show(adjustForm(account, "credit")), "primary") : null}
        {may.finance ? button("Subtract credit", () => show(adjustForm(account, "debit"))) : null}
        {may.operate ? statusButtons : null}
      </div>
      {dialog}
    </>
  )
}

const ADJUST = {
  credit: { submitLabel: "Add credit", pendingLabel: "Adding…" },
  debit: { submitLabel: "Subtract credit", pendingLabel: "Subtracting…" },
} as const
const ADJUSTED = { credit: "The credit was added.", debit: "The credit was subtracted." } as const

const adjustForm = ({ id, email, balanceUsd }: ActedAccount, kind: keyof typeof ADJUST) =>
  dialogForm({
    ...ADJUST[kind],
    title: ADJUST[kind].submitLabel,
    description: `The balance of ${email} is ${formatBalance(balanceUsd)}.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).AdjustBalanceForm,
    defaultValues: { accountId: id, kind, attempt: v4(), amountUsd: "", reference: "", note: "" },
    action: adjustBalanceAction,
    done: ({ isNew }) => (isNew ? ADJUSTED[kind] : "This change was made before. Nothing was changed again."),
    fields: (form) => (
      <>
        <FormField
          form={form}
          name="amountUsd"
          label="Amount in USD"
          hint={kind === "debit" ? "The balance may become negative. Requests are then refused." : undefined}
          inputMode="decimal"
          required
        />
        <FormField
          form={form}
          name="note"
          label="Note"
          hint={`The reason. The account sees it in its ledger. ${NOTE_STAYS}`}
          required
        />
        <FormField
          form={form}
          name="reference"
          label="Reference (optional)"
          hint="Such as the id of a ticket. The same reference changes this account once. Its audit log shows it."
          spellCheck={false}
        />
      </>
    ),
  })

const ratesForm = ({ id, requestsPerSecond, requestsPerSecondPerKey }: ActedAccount) =>
  dialogForm({
    title: "Set rate limits",
    description: "Requests over a limit get 429 and cost nothing. The new limits apply within two seconds.",
    schema: async () => (await import("@/lib/shared/operator/forms")).AccountRatesForm,
    defaultValues: { accountId: id, perSecond: String(requestsPerSecond), perKey: String(requestsPerSecondPerKey) },
    action: setAccountRatesAction,
    done: "The rate limits were set.",
    submitLabel: "Set rate limits",
    pendingLabel: "Setting…",
    fields: (form) => (
      <>
        <FormField
          form={form}
          name="perSecond"
          label="Requests per second of the account"
          inputMode="numeric"
          required
        />
        <FormField form={form} name="perKey" label="Requests per second of each key" inputMode="numeric" required />
      </>
    ),
  })

const STATUS = {
  suspended: {
    title: "Suspend this account",
    text: "Its keys are refused within two seconds, and its sessions end. Members without another active account cannot sign in. Requests that the engine works on finish. You can resume it.",
    submitLabel: "Suspend account",
    pendingLabel: "Suspending…",
    done: "The account was suspended.",
  },
  active: {
    title: "Resume this account",
    text: "Its keys work again within two seconds, and its members can sign in.",
    submitLabel: "Resume account",
    pendingLabel: "Resuming…",
    done: "The account was resumed.",
  },
  closed: {
    title: "Close this account",
    text: "Its keys are refused for good, and nobody can open it again. Its credit stays in the ledger. Refund its payments first if you owe it money.",
    submitLabel: "Close account",
    pendingLabel: "Closing…",
    done: "The account was closed.",
  },
} as const

function statusForm({ id, email }: ActedAccount, status: keyof typeof STATUS) {
  const { text, ...labels } = STATUS[status]
  return dialogForm({
    ...labels,
    description: `${email}: ${text}`,
    defaultValues: { accountId: id, status },
    action: setAccountStatusAction,
    isFinal: status === "closed",
  })
}
