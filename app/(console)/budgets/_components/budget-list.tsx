"use client"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Meter } from "@/components/ui/meter"
import { Money } from "@/components/ui/money"
import { PageHeader } from "@/components/ui/page-header"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { MemberSummary } from "@/lib/shared/accounts/members"
import { type Budget, nameOfBudget, spentPart, subjectOf } from "@/lib/shared/keys/budgets"
import { preloadFormDialog, useFormDialog } from "../../_components/form-dialog"
import { changeForm, newForm, removeForm } from "./budget-forms"

function Spent({ budget }: { budget: Budget }) {
  const { spentUsd, limitUsd } = budget
  const part = spentPart(budget)
  return (
    <Meter
      className="max-w-60"
      value={part}
      label={
        <>
          <Money usd={spentUsd} /> of <Money usd={limitUsd} />{" "}
          <span className="text-ink-muted">({Math.floor(part * 100)}%)</span>
        </>
      }
    />
  )
}

const COLUMNS: readonly Column<Budget>[] = [
  {
    head: "For",
    phone: "title",
    className: "font-medium",
    cell: (budget) => <span className="inline-block break-all first-letter:uppercase">{nameOfBudget(budget)}</span>,
  },
  { head: "Period", phone: "value", cell: ({ period }) => (period === "daily" ? "Daily" : "Monthly") },
  { head: "Spent", phone: "line", cell: (budget) => <Spent budget={budget} /> },
  { head: "Resets", cell: ({ resetsAt }) => <Time at={resetsAt} as="date" /> },
]

interface BudgetListProps {
  budgets: Budget[]
  members: MemberSummary[]
  mayManage: boolean
}

/** Renders the page of budgets. With `mayManage`, it has a form to set one, and each budget has a menu of changes. */
export function BudgetList({ budgets, members, mayManage }: BudgetListProps) {
  const { show, dialog } = useFormDialog()
  const actions = (budget: Budget) => (
    <RowMenu
      label={`Actions for the ${budget.period} budget of ${nameOfBudget(budget)}`}
      actions={[
        { label: "Change", onSelect: (opener) => show(changeForm(budget), opener) },
        { label: "Remove", isDanger: true, onSelect: (opener) => show(removeForm(budget), opener) },
      ]}
    />
  )
  return (
    <>
      <PageHeader
        title="Budgets"
        action={
          mayManage ? (
            <Button {...preloadFormDialog} onClick={() => show(newForm(members))}>
              Set budget
            </Button>
          ) : null
        }
      >
        What the account, the keys that a member created, or requests with a tag may spend in a day or month, in UTC. A
        request over a budget is refused until the budget resets.
      </PageHeader>
      <Table
        caption="Budgets"
        columns={COLUMNS}
        rows={budgets}
        rowKey={(budget) => Object.values(subjectOf(budget)).join()}
        actions={mayManage ? actions : undefined}
        empty={
          <EmptyState title="No budgets">
            Without a budget, the account can spend its balance, and each key its limit. Owners can set budgets.
          </EmptyState>
        }
      />
      {dialog}
    </>
  )
}
