import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { InvitationSummary } from "@/lib/shared/accounts/members"
import { ROLE_NAMES, ROLES } from "@/lib/shared/accounts/roles"
import { InvitationActions } from "./invitation-actions"

const INVITATION_COLUMNS: Column<InvitationSummary>[] = [
  { head: "Address", phone: "title", className: "font-medium break-all", cell: ({ email }) => email },
  {
    head: "Role",
    phone: "value",
    cell: ({ role, isTransfer }) => `${ROLES[role].label}${isTransfer ? ", as a transfer" : ""}`,
  },
  { head: "Invited by", wideOnly: true, className: "break-all", cell: ({ invitedBy }) => invitedBy },
  { head: "Sent", phone: "line", phoneLabel: true, cell: ({ sentAt }) => <Time at={sentAt} /> },
  {
    head: "Valid until",
    phone: "end",
    phoneLabel: true,
    cell: ({ expiresAt, isExpired }) => (isExpired ? "Expired" : <Time at={expiresAt} as="date" />),
  },
]

interface InvitationTableProps {
  invitations: InvitationSummary[]
  mayManage: boolean
}

/** Lists the invitations. With `mayManage`, each can be sent again or revoked. */
export function InvitationTable({ invitations, mayManage }: InvitationTableProps) {
  return (
    <Section id="invitations" title="Invitations" hint="Invitations that were sent and not accepted yet.">
      <Table
        caption="Invitations"
        columns={INVITATION_COLUMNS}
        rows={invitations}
        rowKey={({ id }) => id}
        actions={mayManage ? (invitation) => <InvitationActions invitation={invitation} /> : undefined}
      />
    </Section>
  )
}

export function RoleList() {
  return (
    <Section id="roles" title="Roles" hint="A changed role applies at once, also to open pages.">
      <dl className="grid max-w-text gap-x-6 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
        {ROLE_NAMES.map((role) => (
          <div key={role} className="contents">
            <dt className="font-medium">{ROLES[role].label}</dt>
            <dd className="text-ink-muted max-sm:pb-2">{ROLES[role].allows}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
