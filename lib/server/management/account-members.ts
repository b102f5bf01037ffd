import { z } from "zod"
import { changeRole, removeMember } from "@/lib/server/members/change-members"
import { inviteMember, revokeInvitation } from "@/lib/server/members/invitations"
import { listInvitations, listMembers } from "@/lib/server/members/list-members"
import type { MemberManager, TokenActor } from "@/lib/server/platform/actor"
import { RoleChoice } from "@/lib/shared/accounts/members"
import { ROLE_NAMES } from "@/lib/shared/accounts/roles"
import { EmailAddress } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { Done, Id, Time } from "./admin-fields"
import { type Operation, operationsOf } from "./operation"

const account = operationsOf<TokenActor>()
const ROLE = z.enum(ROLE_NAMES)
const CHANGES = { tag: "Members", right: "members.manage" } as const
/** These mail an invitation or end sessions once the change is stored, and so commit by themselves. */
const BY_ITSELF = { ...CHANGES, isJoined: false } as const

/** Returns the actor of a token with the member who created it. Throws `forbidden` for a token without one. */
function managerOf({ userId, ...actor }: TokenActor): MemberManager {
  if (userId === null) throw new ServiceError("forbidden", { message: "No member created this token." })
  return { ...actor, userId }
}

const READ: readonly Operation<TokenActor>[] = [
  account({
    tag: "Members",
    right: "members.read",
    id: "listMembers",
    method: "GET",
    path: "/members",
    summary: "List the members",
    description: "Returns the owners first, then the others by when they joined.",
    verbs: ["members/list-members.ts listMembers"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({ id: Id("usr", "The member."), email: z.string(), role: ROLE, joined_at: Time("When.") }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listMembers(runtime, actor)).map(({ id, email, role, joinedAt }) => ({
        id,
        email,
        role,
        joined_at: joinedAt,
      })),
    }),
  }),
  account({
    tag: "Members",
    right: "invitations.read",
    id: "listInvitations",
    method: "GET",
    path: "/invitations",
    summary: "List the open invitations",
    verbs: ["members/list-members.ts listInvitations"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: Id("inv", "The invitation."),
          email: z.string(),
          role: ROLE,
          sent_at: Time("When it was last sent."),
          expires_at: Time("When it expires."),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listInvitations(runtime, actor)).map(({ id, email, role, sentAt, expiresAt }) => ({
        id,
        email,
        role,
        sent_at: sentAt,
        expires_at: expiresAt,
      })),
    }),
  }),
]

const CHANGE: readonly Operation<TokenActor>[] = [
  account({
    ...BY_ITSELF,
    id: "inviteMember",
    method: "POST",
    path: "/invitations",
    summary: "Invite a person",
    description:
      "Mails an invitation. Repeating renews it, with at most three mails per hour and address. A token cannot invite an owner.",
    verbs: ["members/invitations.ts inviteMember"],
    Body: z.strictObject({ email: EmailAddress, role: RoleChoice }),
    Result: Done,
    run: async ({ runtime, actor, body }) => inviteMember(runtime, managerOf(actor), body),
  }),
  account({
    ...CHANGES,
    id: "revokeInvitation",
    method: "DELETE",
    path: "/invitations/{invitation}",
    summary: "Revoke an open invitation",
    verbs: ["members/invitations.ts revokeInvitation"],
    Result: Done,
    run: async ({ runtime, actor, ids: { invitation: id = "" } }) =>
      revokeInvitation(runtime, managerOf(actor), { id }),
  }),
  account({
    ...CHANGES,
    id: "changeRole",
    method: "PUT",
    path: "/members/{member}/role",
    summary: "Change the role of a member",
    description: "Repeating changes nothing. A token cannot make or change an owner.",
    verbs: ["members/change-members.ts changeRole"],
    Body: z.strictObject({ role: RoleChoice }),
    Result: Done,
    run: async ({ runtime, actor, ids: { member: id = "" }, body: { role } }) =>
      changeRole(runtime, managerOf(actor), { id, role }),
  }),
  account({
    ...BY_ITSELF,
    id: "removeMember",
    method: "DELETE",
    path: "/members/{member}",
    summary: "Remove a member",
    description: "Ends the sessions that show the account. A token cannot remove an owner.",
    verbs: ["members/change-members.ts removeMember"],
    Result: Done,
    run: async ({ runtime, actor, ids: { member: id = "" } }) => removeMember(runtime, managerOf(actor), { id }),
  }),
]

/** The members and invitations of an account, for programs of its owners. */
export const MEMBER_OPERATIONS: readonly Operation<TokenActor>[] = [...READ, ...CHANGE]
