import { z } from "zod"
import { EmailAddress } from "@/lib/shared/auth/schema"
import { Name } from "@/lib/shared/plain-line"
import { ROLE_NAMES, type Role } from "./roles"

export const RoleChoice = z.enum(ROLE_NAMES, { error: "Choose a role." })

export const InviteInput = z.strictObject({ email: EmailAddress, role: RoleChoice })
export type InviteInput = z.output<typeof InviteInput>

/** An invitation by its public id, `inv_…`. */
export const InvitationInput = z.strictObject({ id: z.string() })
export type InvitationInput = z.output<typeof InvitationInput>

/** A member by the public id of the user, `usr_…`. */
export const MemberInput = z.strictObject({ id: z.string() })
export type MemberInput = z.output<typeof MemberInput>

export const ChangeRoleInput = z.strictObject({ id: z.string(), role: RoleChoice })
export type ChangeRoleInput = z.output<typeof ChangeRoleInput>

/** Invitations send the name to any address, so it must not look like a link. */
const LINK_LIKE = /[:/@\\<>]|\.[\p{L}\p{N}]/u

/** The name of an account that is renamed or added. */
export const AccountNameInput = z.strictObject({
  name: Name.refine((name) => !LINK_LIKE.test(name), "Use letters, digits and spaces, and no address."),
})
export type AccountNameInput = z.output<typeof AccountNameInput>

/** How many accounts that are not closed a person may own. */
export const MAX_OWNED_ACCOUNTS = 20

export const LeaveInput = z.strictObject({})

/** An active account of the user, as the account menu lists it. */
export interface OwnAccount {
  /** `acc_…` */
  id: string
  /** An owner's choice, or the e-mail address of an owner. Ends in the id's last characters if two of the user's accounts share it. */
  name: string
  role: Role
  /** Whether the session shows it. */
  isCurrent: boolean
}

/**
 * What happens to the account's saved card when its member is no longer an owner. `saved`: it is removed. `charged`: automatic
 * top-up ends too.
 */
export type MemberCard = "none" | "saved" | "charged"

/** A member of an account. Times are ISO text. */
export interface MemberSummary {
  /** `usr_…` */
  id: string
  email: string
  role: Role
  joinedAt: string
  isYou: boolean
  /** How many keys this member created that are not revoked. */
  keyCount: number
  /** Always `none` for readers without `members.manage`. */
  card: MemberCard
}

/** An invitation that was neither accepted nor revoked. Times are ISO text. */
export interface InvitationSummary {
  /** `inv_…` */
  id: string
  email: string
  role: Role
  /** Whether it offers a member the ownership, which the sender then gives up. */
  isTransfer: boolean
  invitedBy: string
  sentAt: string
  expiresAt: string
  isExpired: boolean
}

/**
 * A key, account token or webhook that works, with the user who created it, or made a secret of it that works. It works on when that
 * user leaves.
 */
export interface Creation {
  kind: "key" | "token" | "webhook"
  /** `key_…`, `tok_…` or `whe_…` */
  id: string
  /** The address of a webhook. */
  name: string
  /** The shortened secret; null for a webhook. */
  masked: string | null
  /** `id` is `usr_…`. `role` is null for a user who is no longer a member. */
  createdBy: { id: string; email: string; role: Role | null }
  /** What the user made: all of it, its present secret, or the secret before that, which works until its overlap ends. */
  made: "all" | "secret" | "old_secret"
  /** Whether the user left the account, may no longer create it, or was an owner then and is none now. */
  isLeft: boolean
}
