import type { Metadata } from "next"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"
import { listCreations } from "@/lib/server/members/creations"
import { listInvitations, listMembers } from "@/lib/server/members/list-members"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { InviteButton } from "./_components/invite-button"
import { LeftSection } from "./_components/left-section"
import { InvitationTable, RoleList } from "./_components/member-sections"
import { MemberTable } from "./_components/member-table"

export const metadata: Metadata = { title: "Members" }

export default async function MembersPage() {
  const actor = await requireSession("/members")
  const mayManage = hasRight(actor, "members.manage")
  const [members, invitations, creations] = await Promise.all([
    listMembers(runtime(), actor),
    mayManage ? listInvitations(runtime(), actor) : [],
    mayManage ? listCreations(runtime(), actor) : [],
  ])
  return (
    <>
      <PageHeader title="Members" action={mayManage ? <InviteButton /> : null}>
        The people who can use this account. Each signs in with an e-mail address of their own.
        {hasRight(actor, "audit.read") ? (
          <>
            {" "}
            The <TextLink href="/settings/audit?topic=members">audit log</TextLink> shows who changed what.
          </>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-10">
        <MemberTable members={members} mayManage={mayManage} creations={creations} />
        {invitations.length > 0 ? <InvitationTable invitations={invitations} /> : null}
        {mayManage ? <LeftSection creations={creations.filter(({ isLeft }) => isLeft)} /> : null}
        <RoleList />
      </div>
    </>
  )
}
