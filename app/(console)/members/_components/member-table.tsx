"use client"
import { Badge } from "@/components/ui/badge"
import type { MenuAction } from "@/components/ui/menu-popup"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { Creation, MemberSummary } from "@/lib/shared/accounts/members"
import { ROLES } from "@/lib/shared/accounts/roles"
import { countOf } from "@/lib/shared/format"
import { useFormDialog } from "../../_components/form-dialog"
import { removeForm, roleForm, transferForm } from "./member-forms"

const COLUMNS: Column<MemberSummary>[] = [
  {
    head: "Member",
    phone: "title",
    className: "font-medium",
    cell: ({ email, isYou }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 break-all">
        {email} {isYou ? <Badge tone="accent">You</Badge> : null}
      </span>
    ),
  },
  { head: "Role", phone: "value", cell: ({ role }) => ROLES[role].label },
  { head: "Joined", phone: "line", phoneLabel: true, cell: ({ joinedAt }) => <Time at={joinedAt} as="date" /> },
  { head: "Keys", phone: "end", cell: ({ keyCount }) => (keyCount === 0 ? "–" : countOf(keyCount, "key")) },
]

interface MemberTableProps {
  members: MemberSummary[]
  mayManage: boolean
  /** What the members created and still works. */
  creations: Creation[]
}

/** Lists the members. With `mayManage`, each has a menu of changes. */
export function MemberTable({ members, mayManage, creations }: MemberTableProps) {
  const { show, dialog } = useFormDialog()
  const ownCard = members.find(({ isYou }) => isYou)?.card ?? "none"
  const creationsOf = ({ id }: MemberSummary) => creations.filter(({ createdBy }) => createdBy.id === id)
  const actions = (member: MemberSummary) => {
    const role: MenuAction = { label: "Change role", onSelect: (opener) => show(roleForm(member), opener) }
    const others: MenuAction[] = [
      { label: "Transfer ownership", onSelect: (opener) => show(transferForm(member, ownCard), opener) },
      { label: "Remove", isDanger: true, onSelect: (opener) => show(removeForm(member, creationsOf(member)), opener) },
    ]
    return <RowMenu label={`Actions for ${member.email}`} actions={member.isYou ? [role] : [role, ...others]} />
  }
  return (
    <div className="flex flex-col gap-4">
      <Table
        caption="Members"
        columns={COLUMNS}
        rows={members}
        rowKey={({ id }) => id}
        actions={mayManage ? actions : undefined}
      />
      {dialog}
    </div>
  )
}
