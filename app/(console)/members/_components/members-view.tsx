import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { listCreations } from "@/lib/server/members/creations"
import { listInvitations, listMembers } from "@/lib/server/members/list-members"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { InviteButton } from "./invite-button"
import { LeftSection } from "./left-section"
import { InvitationTable, RoleList } from "./member-sections"
import { MemberTable } from "./member-table"

/** Renders the members of the actor's account, and the invitations to it for those who may change them. */
export async function membersView(actor: AccountReader): Promise<ReactNode> {
  const mayManage = hasRight(actor, "members.manage")
  const [members, invitations, creations] = await Promise.all([
    listMembers(runtime(), actor),
    hasRight(actor, "invitations.read") ? listInvitations(runtime(), actor) : [],
    actor.type === "user" && mayManage ? listCreations(runtime(), actor) : [],
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
        {invitations.length > 0 ? <InvitationTable invitations={invitations} mayManage={mayManage} /> : null}
        {mayManage ? <LeftSection creations={creations.filter(({ isLeft }) => isLeft)} /> : null}
        <RoleList />
      </div>
    </>
  )
}
