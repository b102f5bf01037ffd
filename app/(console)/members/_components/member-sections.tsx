import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { InvitationSummary, LeftKey } from "@/lib/shared/accounts/members"
import { ROLE_NAMES, ROLES } from "@/lib/shared/accounts/roles"
import { InvitationActions } from "./invitation-actions"

const INVITATION_COLUMNS: Column<InvitationSummary>[] = [
  { head: "Address", className: "font-medium break-all", cell: ({ email }) => email },
  { head: "Role", cell: ({ role }) => ROLES[role].label },
  { head: "Invited by", wideOnly: true, className: "break-all", cell: ({ invitedBy }) => invitedBy },
  { head: "Sent", cell: ({ sentAt }) => <Time at={sentAt} /> },
  {
    head: "Valid until",
    cell: ({ expiresAt, isExpired }) => (isExpired ? "Expired" : <Time at={expiresAt} as="date" />),
  },
]

export function InvitationTable({ invitations }: { invitations: InvitationSummary[] }) {
  return (
    <Section id="invitations" title="Invitations" hint="Invitations that were sent and not accepted yet.">
      <Table
        caption="Invitations"
        columns={INVITATION_COLUMNS}
        rows={invitations}
        rowKey={({ id }) => id}
        actions={(invitation) => <InvitationActions invitation={invitation} />}
      />
    </Section>
  )
}

const KEY_COLUMNS: Column<LeftKey>[] = [
  {
    head: "Key",
    className: "font-medium break-words",
    cell: ({ id, name }) => <TextLink href={`/keys/${id}`}>{name}</TextLink>,
  },
  { head: "Shortened key", cell: ({ masked }) => <span className="break-all font-mono text-sm">{masked}</span> },
  { head: "Created by", className: "break-all", cell: ({ createdBy }) => createdBy },
]

export function LeftKeyTable({ keys }: { keys: LeftKey[] }) {
  return (
    <Section
      id="left-keys"
      title="Keys of former members"
      hint="These keys still work. Their creators may know the secrets: replace the keys, and revoke them."
    >
      <Table caption="Keys of former members" columns={KEY_COLUMNS} rows={keys} rowKey={({ id }) => id} />
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
