"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { changeRole, removeMember } from "@/lib/server/members/change-members"
import { endLeft } from "@/lib/server/members/creations"
import { inviteMember, resendInvitation, revokeInvitation } from "@/lib/server/members/invitations"
import { transferOwnership } from "@/lib/server/members/transfer-ownership"
import { ChangeRoleInput, InvitationInput, InviteInput, MemberInput } from "@/lib/shared/accounts/members"

export const inviteMemberAction = userAction(InviteInput, inviteMember)
export const resendInvitationAction = userAction(InvitationInput, resendInvitation)
export const revokeInvitationAction = userAction(InvitationInput, revokeInvitation)
export const changeRoleAction = userAction(ChangeRoleInput, changeRole)
export const removeMemberAction = userAction(MemberInput, removeMember)
export const transferOwnershipAction = userAction(MemberInput, transferOwnership)
export const endLeftAction = userAction(MemberInput, endLeft)
