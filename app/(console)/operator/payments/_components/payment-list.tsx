"use client"
import type { ReactNode } from "react"
import { TopupBadge } from "@/components/topup-badge"
import { Badge } from "@/components/ui/badge"
import type { MenuAction } from "@/components/ui/menu-popup"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { Payment } from "@/lib/server/billing/list-payments"
import { useFormDialog } from "../../../_components/form-dialog"
import { AccountLink } from "../../_components/account-scope"
import { endForm, refreshForm, refundForm, settleForm } from "./payment-forms"

/** Returns an amount; null for zero, which most payments have. */
const unlessZero = (usd: string): string | null => (/^0\.0+$/.test(usd) ? null : usd)

const FACTS: readonly Column<Payment>[] = [
  { head: "Started (UTC)", phone: "end", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "Account", phone: "title", cell: ({ account }) => <AccountLink account={account} /> },
  {
    head: "Status",
    phone: "line",
    cell: ({ status, attention, isOverdue }) => (
      <span className="flex flex-wrap items-center gap-1">
        <TopupBadge status={status} />
        {attention ? <span className="text-sm">{attention}</span> : null}
        {isOverdue ? <Badge tone="warn">Not checked for 2 h</Badge> : null}
      </span>
    ),
  },
  { head: "Credit", phone: "value", usd: ({ creditUsd }) => creditUsd },
  { head: "Paid", usd: ({ paidUsd }) => paidUsd },
  { head: "Refunded", usd: ({ refundedUsd }) => unlessZero(refundedUsd) },
  { head: "Disputed", usd: ({ disputedUsd }) => unlessZero(disputedUsd) },
  {
    head: "Id",
    wideOnly: true,
    cell: ({ id }) => <span className="break-all font-mono text-ink-muted text-xs">{id}</span>,
  },
]

interface PaymentListProps {
  payments: Payment[]
  /** Whether the reader may act on payments. Without a Stripe key, nobody can. */
  maySettle: boolean
  /** Shown when the last payment has left the list, whose dialog still fades out. */
  empty: ReactNode
}

/** Lists payments. With `maySettle`, each has a menu of actions. */
export function PaymentList({ payments, maySettle, empty }: PaymentListProps) {
  const { show, dialog } = useFormDialog()
  const actions = (payment: Payment) => {
    const check: MenuAction = { label: "Check with Stripe", onSelect: (opener) => show(refreshForm(payment), opener) }
    const refund: MenuAction = {
      label: "Refund",
      isDanger: true,
      onSelect: (opener) => show(refundForm(payment), opener),
    }
    const settle: MenuAction = { label: "Settle", onSelect: (opener) => show(settleForm(payment), opener) }
    const end: MenuAction = { label: "End", isDanger: true, onSelect: (opener) => show(endForm(payment), opener) }
    const more = payment.status === "paid" ? [refund] : payment.status === "attention" ? [settle, end] : []
    return <RowMenu label={`Actions for ${payment.id}`} actions={[check, ...more]} />
  }
  return (
    <>
      <Table
        caption="Payments"
        columns={FACTS}
        rows={payments}
        rowKey={({ id }) => id}
        actions={maySettle ? actions : undefined}
        empty={empty}
      />
      {dialog}
    </>
  )
}
