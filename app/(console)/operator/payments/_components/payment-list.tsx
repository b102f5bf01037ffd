"use client"
import { useState } from "react"
import { TopupBadge } from "@/components/topup-badge"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Money } from "@/components/ui/money"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { Payment } from "@/lib/server/billing/list-payments"
import { formatUsd } from "@/lib/shared/format"
import { FormDialog } from "../../../_components/form-dialog"
import { refreshTopupAction, refundTopupAction } from "../actions"

const ZERO = /^0\.0+$/

const amount = (usd: string) => (ZERO.test(usd) ? "–" : <Money usd={usd} />)

const FACTS: readonly Column<Payment>[] = [
  { head: "Started (UTC)", cell: ({ at }) => <Time at={at} as="minute" /> },
  {
    head: "Account",
    cell: ({ account }) => (
      <TextLink alone href={`/operator/accounts/${account.id}`} className="wrap-anywhere">
        {account.email ?? account.id}
      </TextLink>
    ),
  },
  {
    head: "Status",
    cell: ({ status, isOverdue }) => (
      <span className="flex flex-wrap gap-1 max-sm:justify-end">
        <TopupBadge status={status} />
        {isOverdue ? <Badge tone="warn">Not checked for 2 h</Badge> : null}
      </span>
    ),
  },
  { head: "Credit", align: "right", cell: ({ creditUsd }) => <Money usd={creditUsd} /> },
  { head: "Paid", align: "right", cell: ({ paidUsd }) => (paidUsd ? <Money usd={paidUsd} /> : "–") },
  { head: "Refunded", align: "right", cell: ({ refundedUsd }) => amount(refundedUsd) },
  { head: "Disputed", align: "right", cell: ({ disputedUsd }) => amount(disputedUsd) },
  {
    head: "Id",
    wideOnly: true,
    cell: ({ id }) => <span className="break-all font-mono text-ink-muted text-xs">{id}</span>,
  },
]

interface Step {
  act: "refund" | "refresh"
  payment: Payment
  /** The button of the row's menu. */
  opener: HTMLElement | null
}

/** Lists payments, each with a menu of actions. Without a Stripe key they can only be read. */
export function PaymentList({ payments, enabled }: { payments: Payment[]; enabled: boolean }) {
  const [step, setStep] = useState<Step | null>(null)
  const [done, setDone] = useState("")
  const open = (act: Step["act"], payment: Payment) => (opener: HTMLElement | null) => {
    setDone("")
    setStep({ act, payment, opener })
  }
  const actions: Column<Payment> = {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (payment) => (
      <RowMenu
        label={`Actions for ${payment.id}`}
        actions={[
          { label: "Check with Stripe", onSelect: open("refresh", payment) },
          ...(payment.status === "paid"
            ? [{ label: "Refund", isDanger: true, onSelect: open("refund", payment) }]
            : []),
        ]}
      />
    ),
  }
  const common = (act: Step["act"]) => ({
    payment: step?.payment,
    open: step?.act === act,
    opener: step?.opener,
    onClose: () => setStep(null),
    onDone: (text: string) => {
      setStep(null)
      setDone(text)
    },
  })
  return (
    <>
      <div role="status" className="pb-3 empty:hidden">
        {done ? <Alert tone="ok">{done}</Alert> : null}
      </div>
      <Table
        caption="Payments"
        columns={enabled ? [...FACTS, actions] : FACTS}
        rows={payments}
        rowKey={({ id }) => id}
      />
      <RefreshDialog {...common("refresh")} />
      <RefundDialog {...common("refund")} />
    </>
  )
}

interface PaymentDialogProps {
  payment: Payment | undefined
  open: boolean
  opener: HTMLElement | null | undefined
  onClose: () => void
  /** Receives what was done, in one sentence. */
  onDone: (text: string) => void
}

function RefreshDialog({ payment, open, opener, onClose, onDone }: PaymentDialogProps) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Check with Stripe"
      description={`Reads ${payment?.id ?? ""} from Stripe, and updates its status, refunds and disputes here and in the ledger.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).OneTopup}
      defaultValues={() => ({ id: payment?.id ?? "" })}
      action={refreshTopupAction}
      onDone={() => onDone("The top-up agrees with Stripe now.")}
      submitLabel="Check now"
      pendingLabel="Checking…"
    />
  )
}

function RefundDialog({ payment, open, opener, onClose, onDone }: PaymentDialogProps) {
  const paid = payment?.paidUsd ? formatUsd(payment.paidUsd) : "nothing"
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Refund this payment"
      description={`${payment?.account.email ?? "The account"} paid ${paid}. Stripe returns the money, and the credit is debited. The balance may become negative.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).RefundForm}
      defaultValues={() => ({ id: payment?.id ?? "", amountUsd: "", note: "" })}
      action={refundTopupAction}
      onDone={() => onDone("The refund was made. Stripe pays it out within days.")}
      submitLabel="Refund"
      pendingLabel="Refunding…"
      isFinal
      fields={({ register, formState: { errors } }) => (
        <>
          <Field
            label="Amount in USD, including tax"
            hint="Leave empty to refund all that is left."
            error={errors.amountUsd?.message}
          >
            <Input {...register("amountUsd")} inputMode="decimal" autoComplete="off" className="tabular-nums" />
          </Field>
          <Field label="Note" hint="The reason, kept in the audit log." error={errors.note?.message} required>
            <Input {...register("note")} autoComplete="off" />
          </Field>
        </>
      )}
    />
  )
}
