"use client"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import type { Allowance } from "@/lib/server/accounts/allowance-rules"
import { formatCount } from "@/lib/shared/format"
import { ALLOWANCE_PER } from "@/lib/shared/operator/allowance-per"
import { preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { AccountLink } from "../../_components/account-scope"
import { changeForm, endForm, NEW } from "./allowance-forms"

const COLUMNS: readonly Column<Allowance>[] = [
  {
    head: "Of",
    phone: "title",
    className: "font-medium",
    cell: ({ target, email }) =>
      target.startsWith("acc_") ? (
        <AccountLink account={{ id: target, email }} />
      ) : (
        <span className="break-all">{target}</span>
      ),
  },
  { head: "For", phone: "line", cell: ({ per }) => ALLOWANCE_PER[per] },
  { head: "A month", phone: "value", usd: ({ amountUsd }) => amountUsd },
  { head: "What is left", cell: ({ carriesOver }) => (carriesOver ? "stays" : "is debited") },
  { head: "Credited", align: "right", wideOnly: true, cell: ({ granted }) => formatCount(granted) },
  { head: "This month", phone: "end", phoneLabel: true, usd: ({ grantedUsd }) => grantedUsd },
]

/** Lists the allowances. With `mayChange`, a form adds one, and each has a menu of changes. */
export function AllowanceList({ allowances, mayChange }: { allowances: Allowance[]; mayChange: boolean }) {
  const { show, dialog } = useFormDialog()
  const actions = (allowance: Allowance) => (
    <RowMenu
      label={`Actions for ${allowance.email ?? allowance.target}, ${ALLOWANCE_PER[allowance.per]}`}
      actions={[
        { label: "Change", onSelect: (opener) => show(changeForm(allowance), opener) },
        { label: "End", isDanger: true, onSelect: (opener) => show(endForm(allowance), opener) },
      ]}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      {mayChange ? (
        <Button {...preloadFormDialog} onClick={() => show(NEW)} className="self-start">
          Add allowance
        </Button>
      ) : null}
      <Table
        caption="Allowances"
        columns={COLUMNS}
        rows={allowances}
        rowKey={({ id }) => id}
        actions={mayChange ? actions : undefined}
        empty={
          <EmptyState title="No allowances">
            {mayChange
              ? "Add one to credit an amount each month to every account of a domain, or to one account."
              : "An allowance credits an amount each month to every account of a domain, or to one account."}
          </EmptyState>
        }
      />
      {dialog}
    </div>
  )
}
