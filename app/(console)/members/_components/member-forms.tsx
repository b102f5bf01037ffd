import { FormField } from "@/components/form/form-field"
import { cardText } from "@/lib/shared/accounts/card-text"
import { INVITATION_DAYS } from "@/lib/shared/accounts/invitation-days"
import type { Creation, InvitationSummary, MemberCard, MemberSummary } from "@/lib/shared/accounts/members"
import { CreationList } from "../../_components/creation-list"
import { dialogForm } from "../../_components/form-dialog"
import {
  changeRoleAction,
  endLeftAction,
  inviteMemberAction,
  removeMemberAction,
  resendInvitationAction,
  revokeInvitationAction,
  transferOwnershipAction,
} from "../actions"
import { RoleField } from "./role-field"

export const INVITE = dialogForm({
  title: "Invite a member",
  description: `We e-mail an invitation that is valid for ${INVITATION_DAYS} days, for this address only.`,
  schema: async () => (await import("@/lib/shared/accounts/members")).InviteInput,
  defaultValues: { email: "", role: "developer" },
  action: inviteMemberAction,
  done: "The invitation was sent.",
  submitLabel: "Send invitation",
  pendingLabel: "Sending…",
  fields: (form) => (
    <>
      <FormField
        form={form}
        name="email"
        label="E-mail address"
        type="email"
        inputMode="email"
        spellCheck={false}
        required
      />
      <RoleField {...form.register("role")} error={form.formState.errors.role?.message} />
    </>
  ),
})

export const resendForm = ({ id, email }: InvitationSummary) =>
  dialogForm({
    title: "Send the invitation again",
    description: `${email} gets another e-mail, at most three an hour, and the invitation is valid for 7 more days.`,
    defaultValues: { id },
    action: resendInvitationAction,
    submitLabel: "Send invitation",
    pendingLabel: "Sending…",
  })

export const revokeForm = ({ id, email, isTransfer }: InvitationSummary) =>
  dialogForm({
    title: "Revoke invitation",
    description: isTransfer
      ? `${email} can no longer take over the account. You can offer it again later.`
      : `${email} can no longer join. You can send another invitation later.`,
    defaultValues: { id },
    action: revokeInvitationAction,
    submitLabel: "Revoke invitation",
    pendingLabel: "Revoking…",
  })

/** Only owners can have sent invitations. */
const invitationsText = ({ role }: MemberSummary, start: string): string =>
  role === "owner" ? ` ${start} invitations that this member sent are revoked.` : ""

export const roleForm = (member: MemberSummary) =>
  dialogForm({
    title: "Change role",
    description: `The new role of ${member.email} applies at once.${cardText(member.card, member.email, "with a role other than owner")}${invitationsText(member, "With a role other than owner, open")}`,
    schema: async () => (await import("@/lib/shared/accounts/members")).ChangeRoleInput,
    defaultValues: { id: member.id, role: member.role },
    action: changeRoleAction,
    done: `The role of ${member.email} was changed.`,
    submitLabel: "Change role",
    pendingLabel: "Changing…",
    fields: ({ register, formState: { errors } }) => <RoleField {...register("role")} error={errors.role?.message} />,
  })

export const transferForm = ({ id, email }: MemberSummary, ownCard: MemberCard) =>
  dialogForm({
    title: "Transfer ownership",
    description: `We e-mail an offer, valid for ${INVITATION_DAYS} days. Once ${email} accepts it, they become an owner, and you become a developer. Only an owner can make you an owner again. Open invitations that you sent are then revoked.${cardText(ownCard, "You")}`,
    defaultValues: { id },
    action: transferOwnershipAction,
    done: `The offer was sent to ${email}.`,
    submitLabel: "Send offer",
    pendingLabel: "Sending…",
    isFinal: true,
    finalLabel: "I understand that I cannot undo this myself once it is accepted.",
  })

/** `creations` are what this member created and still works. */
export function removeForm(member: MemberSummary, creations: Creation[]) {
  const { id, email } = member
  return dialogForm({
    title: "Remove member",
    description: `${email} loses access to this account at once.${invitationsText(member, "Open")}${cardText(member.card, email)}`,
    defaultValues: { id },
    action: removeMemberAction,
    done: `${email} was removed.`,
    submitLabel: "Remove member",
    pendingLabel: "Removing…",
    fields: () =>
      creations.length > 0 ? (
        <div className="flex flex-col gap-2 text-sm">
          <p>What this member created keeps working. After the removal, you can end all of it on this page:</p>
          <CreationList creations={creations} />
        </div>
      ) : null,
  })
}

/** `left` is what one person created and may no longer create. */
export function endLeftForm(left: Creation[]) {
  const { id = "", email = "" } = left[0]?.createdBy ?? {}
  return dialogForm({
    title: "End all",
    description: `These keys and tokens of ${email} are revoked, and stop working within two seconds. These webhooks are deleted. Of a key or webhook with an old secret, only that secret ends.`,
    defaultValues: { id },
    action: endLeftAction,
    done: `What ${email} created has ended.`,
    submitLabel: "End all",
    pendingLabel: "Ending…",
    isFinal: true,
    fields: () => <CreationList creations={left} />,
  })
}
