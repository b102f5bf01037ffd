"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { cardText } from "@/lib/shared/accounts/card-text"
import type { MemberCard, MemberSummary } from "@/lib/shared/accounts/members"
import { ROLES } from "@/lib/shared/accounts/roles"
import { countOf } from "@/lib/shared/format"
import { FormDialog } from "../../_components/form-dialog"
import { changeRoleAction, removeMemberAction, transferOwnershipAction } from "../actions"
import { CONFIRM_REASON } from "./invite-button"
import { RoleField } from "./role-field"

type Act = "role" | "transfer" | "remove"

interface Step {
  act: Act
  member: MemberSummary
  /** The button of the row's menu. */
  opener: HTMLElement | null
}

const keysText = (count: number): string => countOf(count, "key")

const COLUMNS: Column<MemberSummary>[] = [
  {
    head: "Member",
    className: "font-medium",
    cell: ({ email, isYou }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 break-all max-sm:justify-end">
        {email} {isYou ? <Badge tone="accent">You</Badge> : null}
      </span>
    ),
  },
  { head: "Role", cell: ({ role }) => ROLES[role].label },
  { head: "Joined", cell: ({ joinedAt }) => <Time at={joinedAt} as="date" /> },
  { head: "Keys", cell: ({ keyCount }) => (keyCount === 0 ? "–" : keysText(keyCount)) },
]

interface MemberTableProps {
  members: MemberSummary[]
  mayManage: boolean
}

/** Lists the members. With `mayManage`, each has a menu of changes. */
export function MemberTable({ members, mayManage }: MemberTableProps) {
  const [step, setStep] = useState<Step | null>(null)
  const [done, setDone] = useState("")
  const open = (act: Act, member: MemberSummary) => (opener: HTMLElement | null) => {
    setDone("")
    setStep({ act, member, opener })
  }
  const actions: Column<MemberSummary> = {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (member) => (
      <RowMenu
        label={`Actions for ${member.email}`}
        actions={[
          { label: "Change role", onSelect: open("role", member) },
          ...(member.isYou
            ? []
            : [
                { label: "Transfer ownership", onSelect: open("transfer", member) },
                { label: "Remove", isDanger: true, onSelect: open("remove", member) },
              ]),
        ]}
      />
    ),
  }
  const ownCard = members.find(({ isYou }) => isYou)?.card ?? "none"
  const finish = (text: string) => {
    setStep(null)
    setDone(text)
  }
  const dialog = { opener: step?.opener, onClose: () => setStep(null), onDone: finish }
  return (
    <div className="flex flex-col gap-4">
      <div role="status" className="empty:hidden">
        {done ? <Alert tone="ok">{done}</Alert> : null}
      </div>
      <Table
        caption="Members"
        columns={mayManage ? [...COLUMNS, actions] : COLUMNS}
        rows={members}
        rowKey={({ id }) => id}
      />
      {step ? (
        <>
          <RoleDialog {...dialog} member={step.member} open={step.act === "role"} />
          <TransferDialog {...dialog} member={step.member} ownCard={ownCard} open={step.act === "transfer"} />
          <RemoveDialog {...dialog} member={step.member} open={step.act === "remove"} />
        </>
      ) : null}
    </div>
  )
}

/** Only owners can have sent invitations. */
const invitationsText = ({ role }: MemberSummary, start: string): string =>
  role === "owner" ? ` ${start} invitations that this member sent are revoked.` : ""

interface MemberDialogProps {
  member: MemberSummary
  open: boolean
  opener: HTMLElement | null | undefined
  onClose: () => void
  /** Receives what was done, in one sentence. */
  onDone: (text: string) => void
}

function RoleDialog({ member, open, opener, onClose, onDone }: MemberDialogProps) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Change role"
      description={`The new role of ${member.email} applies at once.${cardText(member.card, member.email, "with a role other than owner")}${invitationsText(member, "With a role other than owner, open")}`}
      schema={async () => (await import("@/lib/shared/accounts/members")).ChangeRoleInput}
      defaultValues={() => ({ id: member.id, role: member.role })}
      action={changeRoleAction}
      onDone={() => onDone(`The role of ${member.email} was changed.`)}
      submitLabel="Change role"
      pendingLabel="Changing…"
      confirmReason={CONFIRM_REASON}
      fields={({ register, formState: { errors } }) => <RoleField {...register("role")} error={errors.role?.message} />}
    />
  )
}

function TransferDialog({
  member,
  ownCard,
  open,
  opener,
  onClose,
  onDone,
}: MemberDialogProps & { ownCard: MemberCard }) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Transfer ownership"
      description={`${member.email} becomes an owner, and you become a developer. Only an owner can make you an owner again. Open invitations that you sent are revoked.${cardText(ownCard, "You")}`}
      schema={async () => (await import("@/lib/shared/accounts/members")).MemberInput}
      defaultValues={() => ({ id: member.id })}
      action={transferOwnershipAction}
      onDone={() => onDone(`${member.email} is now an owner.`)}
      submitLabel="Transfer ownership"
      pendingLabel="Transferring…"
      confirmReason={CONFIRM_REASON}
      isFinal
      finalLabel="I understand that I cannot undo this myself."
    />
  )
}

function RemoveDialog({ member, open, opener, onClose, onDone }: MemberDialogProps) {
  const keep = member.keyCount === 1 ? "keeps" : "keep"
  const kept =
    member.keyCount === 0 ? "" : ` The ${keysText(member.keyCount)} that this member created ${keep} working.`
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Remove member"
      description={`${member.email} loses access to this account at once.${kept}${invitationsText(member, "Open")}${cardText(member.card, member.email)}`}
      schema={async () => (await import("@/lib/shared/accounts/members")).MemberInput}
      defaultValues={() => ({ id: member.id })}
      action={removeMemberAction}
      onDone={() => onDone(`${member.email} was removed.`)}
      submitLabel="Remove member"
      pendingLabel="Removing…"
      confirmReason={CONFIRM_REASON}
    />
  )
}
