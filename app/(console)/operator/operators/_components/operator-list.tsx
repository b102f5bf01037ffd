"use client"
import { UserPlus } from "lucide-react"
import { Button } from "@/components/ui/button"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { OperatorSummary } from "@/lib/server/auth/operators"
import { OPERATORS } from "@/lib/shared/accounts/roles"
import { preloadFormDialog, useFormDialog } from "../../../_components/form-dialog"
import { changeForm, INVITE, removeForm } from "./operator-forms"

const COLUMNS: readonly Column<OperatorSummary>[] = [
  { head: "Operator", phone: "title", className: "font-medium break-all", cell: ({ email }) => email },
  { head: "Role", phone: "value", cell: ({ role }) => OPERATORS[role].label },
  {
    head: "Invited",
    phone: "line",
    phoneLabel: true,
    cell: ({ invitedAt }) => (invitedAt === null ? "By OPERATOR_EMAILS" : <Time at={invitedAt} as="date" />),
  },
  { head: "Signed in", phone: "end", phoneLabel: true, cell: ({ isUser }) => (isUser ? "Yes" : "Not yet") },
]

/** Lists the operators, with a form that invites one and a menu of changes for each invited one. */
export function OperatorList({ operators }: { operators: OperatorSummary[] }) {
  const { show, dialog } = useFormDialog()
  return (
    <div className="flex flex-col gap-4">
      <Button {...preloadFormDialog} onClick={() => show(INVITE)} className="self-start">
        <UserPlus aria-hidden className="size-4" />
        Invite operator
      </Button>
      <Table
        caption="Operators"
        columns={COLUMNS}
        rows={operators}
        rowKey={({ id, email }) => id ?? email}
        actions={(operator) => {
          const { id, email } = operator
          return id === null ? null : (
            <RowMenu
              label={`Actions for ${email}`}
              actions={[
                { label: "Change role", onSelect: (opener) => show(changeForm(operator), opener) },
                { label: "Remove", isDanger: true, onSelect: (opener) => show(removeForm(id, email), opener) },
              ]}
            />
          )
        }}
      />
      {dialog}
    </div>
  )
}
