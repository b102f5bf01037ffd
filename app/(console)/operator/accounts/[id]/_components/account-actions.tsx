"use client"
import { useState } from "react"
import { v4 } from "uuid"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { formatUsd } from "@/lib/shared/format"
import { FormDialog } from "../../../../_components/form-dialog"
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

type Act = "credit" | "debit" | "rates" | "suspended" | "active" | "closed"

/** Renders the changes that an operator can make to an account, and says which one was just made. */
export function AccountActions({ account }: { account: ActedAccount }) {
  const [act, setAct] = useState<Act | null>(null)
  const [done, setDone] = useState("")
  const open = (next: Act) => {
    setDone("")
    setAct(next)
  }
  const finish = (text: string) => {
    setAct(null)
    setDone(text)
  }
  const common = { account, onClose: () => setAct(null), onDone: finish }
  const button = (next: Act, label: string, variant: "primary" | "secondary" = "secondary") => (
    <Button variant={variant} onClick={() => open(next)}>
      {label}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {button("credit", "Add credit", "primary")}
        {button("debit", "Subtract credit")}
        {button("rates", "Set rate limits")}
        {account.status === "active" ? button("suspended", "Suspend") : null}
        {account.status === "suspended" ? button("active", "Resume", "primary") : null}
        {account.status === "closed" ? null : button("closed", "Close account")}
      </div>
      <div role="status" className="w-full empty:hidden">
        {done ? <Alert tone="ok">{done}</Alert> : null}
      </div>
      <AdjustDialog {...common} kind="credit" open={act === "credit"} />
      <AdjustDialog {...common} kind="debit" open={act === "debit"} />
      <RatesDialog {...common} open={act === "rates"} />
      <StatusDialog {...common} status="suspended" open={act === "suspended"} />
      <StatusDialog {...common} status="active" open={act === "active"} />
      <StatusDialog {...common} status="closed" open={act === "closed"} />
    </>
  )
}

interface ActDialogProps {
  account: ActedAccount
  open: boolean
  onClose: () => void
  /** Receives what was done, in one sentence. */
  onDone: (text: string) => void
}

const ADJUST = {
  credit: { title: "Add credit", pending: "Adding…", done: "The credit was added." },
  debit: { title: "Subtract credit", pending: "Subtracting…", done: "The credit was subtracted." },
} as const

function AdjustDialog({ account, kind, open, onClose, onDone }: ActDialogProps & { kind: "credit" | "debit" }) {
  const { title, pending, done } = ADJUST[kind]
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={`The balance of ${account.email} is ${formatUsd(account.balanceUsd)}.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).AdjustBalanceForm}
      defaultValues={() => ({ accountId: account.id, kind, attempt: v4(), amountUsd: "", note: "" })}
      action={adjustBalanceAction}
      onDone={() => onDone(done)}
      submitLabel={title}
      pendingLabel={pending}
      fields={({ register, formState: { errors } }) => (
        <>
          <Field
            label="Amount in USD"
            hint={kind === "debit" ? "The balance may become negative. Requests are then refused." : undefined}
            error={errors.amountUsd?.message}
            required
          >
            <Input {...register("amountUsd")} inputMode="decimal" autoComplete="off" className="tabular-nums" />
          </Field>
          <Field
            label="Note"
            hint="The reason. The account sees it in its ledger."
            error={errors.note?.message}
            required
          >
            <Input {...register("note")} autoComplete="off" />
          </Field>
        </>
      )}
    />
  )
}

function RatesDialog({ account, open, onClose, onDone }: ActDialogProps) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Set rate limits"
      description="Requests over a limit get 429 and cost nothing. The new limits apply within two seconds."
      schema={async () => (await import("@/lib/shared/operator/forms")).AccountRatesForm}
      defaultValues={() => ({
        accountId: account.id,
        perSecond: String(account.requestsPerSecond),
        perKey: String(account.requestsPerSecondPerKey),
      })}
      action={setAccountRatesAction}
      onDone={() => onDone("The rate limits were set.")}
      submitLabel="Set rate limits"
      pendingLabel="Setting…"
      fields={({ register, formState: { errors } }) => (
        <>
          <Field label="Requests per second of the account" error={errors.perSecond?.message} required>
            <Input {...register("perSecond")} inputMode="numeric" autoComplete="off" className="tabular-nums" />
          </Field>
          <Field label="Requests per second of each key" error={errors.perKey?.message} required>
            <Input {...register("perKey")} inputMode="numeric" autoComplete="off" className="tabular-nums" />
          </Field>
        </>
      )}
    />
  )
}

const STATUS = {
  suspended: {
    title: "Suspend this account",
    text: "Its keys are refused within two seconds, and its sessions end. Members without another active account cannot sign in. Requests in progress finish. You can resume it.",
    submit: "Suspend account",
    pending: "Suspending…",
    done: "The account was suspended.",
  },
  active: {
    title: "Resume this account",
    text: "Its keys work again within two seconds, and its members can sign in.",
    submit: "Resume account",
    pending: "Resuming…",
    done: "The account was resumed.",
  },
  closed: {
    title: "Close this account",
    text: "Its keys are refused for good, and nobody can open it again. Its credit stays in the ledger. Refund its payments first if you owe it money.",
    submit: "Close account",
    pending: "Closing…",
    done: "The account was closed.",
  },
} as const

function StatusDialog({ account, status, open, onClose, onDone }: ActDialogProps & { status: keyof typeof STATUS }) {
  const { title, text, submit, pending, done } = STATUS[status]
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      description={`${account.email}: ${text}`}
      schema={async () => (await import("@/lib/shared/operator/forms")).AccountStatusForm}
      defaultValues={() => ({ accountId: account.id, status })}
      action={setAccountStatusAction}
      onDone={() => onDone(done)}
      submitLabel={submit}
      pendingLabel={pending}
      isFinal={status === "closed"}
    />
  )
}
