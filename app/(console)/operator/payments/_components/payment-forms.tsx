import { FormField } from "@/components/form/form-field"
import type { Payment } from "@/lib/server/billing/list-payments"
import { countOf, formatUsd } from "@/lib/shared/format"
import { dialogForm } from "../../../_components/form-dialog"
import { NOTE_STAYS } from "../../_components/note-stays"
import {
  endTopupAction,
  reconcilePaymentsAction,
  refreshTopupAction,
  refundTopupAction,
  settleTopupAction,
} from "../actions"

export const refreshForm = ({ id }: Payment) =>
  dialogForm({
    title: "Check with Stripe",
    description: `Reads ${id} from Stripe, and updates its status, refunds and disputes here and in the ledger.`,
    defaultValues: { id },
    action: refreshTopupAction,
    done: "The top-up agrees with Stripe now.",
    submitLabel: "Check now",
    pendingLabel: "Checking…",
  })

export const refundForm = ({ id, account, paidUsd }: Payment) =>
  dialogForm({
    title: "Refund this payment",
    description: `${account.email ?? "The account"} paid ${paidUsd ? formatUsd(paidUsd) : "nothing"}. Stripe returns the money, and the credit is debited. The balance may become negative.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).RefundForm,
    defaultValues: { id, amountUsd: "", note: "" },
    action: refundTopupAction,
    done: "The refund was made. Stripe pays it out within days.",
    submitLabel: "Refund",
    pendingLabel: "Refunding…",
    isFinal: true,
    fields: (form) => (
      <>
        <FormField
          form={form}
          name="amountUsd"
          label="Amount in USD, including tax"
          hint="Leave empty to refund all that is left."
          inputMode="decimal"
        />
        <FormField
          form={form}
          name="note"
          label="Note"
          hint={`The reason, kept in the audit log. ${NOTE_STAYS}`}
          required
        />
      </>
    ),
  })

export const settleForm = ({ id, account, attention }: Payment) =>
  dialogForm({
    title: "Settle this checkout",
    description: `Stripe reports ${attention ?? "another state"} for a top-up of ${account.email ?? "the account"}. Look up in Stripe what was paid. The credit is added once.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).SettleTopupForm,
    defaultValues: { id, amountUsd: "", note: "" },
    action: settleTopupAction,
    done: "The credit was added.",
    submitLabel: "Add credit",
    pendingLabel: "Adding…",
    fields: (form) => (
      <>
        <FormField form={form} name="amountUsd" label="Credit in USD" inputMode="decimal" required />
        <FormField
          form={form}
          name="note"
          label="Note"
          hint={`The account’s owner sees it in the ledger. ${NOTE_STAYS}`}
          required
        />
      </>
    ),
  })

export const endForm = ({ id, account }: Payment) =>
  dialogForm({
    title: "End this checkout",
    description: `${account.email ?? "The account"} gets no credit. Refund a payment in Stripe’s dashboard first.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).EndTopupForm,
    defaultValues: { id, note: "" },
    action: endTopupAction,
    done: "The top-up has ended.",
    submitLabel: "End top-up",
    pendingLabel: "Ending…",
    isFinal: true,
    fields: (form) => (
      <FormField
        form={form}
        name="note"
        label="Note"
        hint={`The reason, kept in the audit log. ${NOTE_STAYS}`}
        required
      />
    ),
  })

export const RECONCILE = dialogForm({
  title: "Check with Stripe",
  description:
    "Reads Stripe's events since the last time, settles the top-ups that they concern, and retries events that failed. Servers do this every five minutes.",
  defaultValues: {},
  action: reconcilePaymentsAction,
  done: ({ checked }) => `${countOf(checked, "top-up")} ${checked === 1 ? "was" : "were"} checked.`,
  submitLabel: "Check now",
  pendingLabel: "Checking…",
})
