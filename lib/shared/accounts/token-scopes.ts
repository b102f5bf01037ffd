import { ALL_RIGHTS, type Right, type Role, roleHas } from "./roles"

/** The rights that an account token can have, and what each allows. */
export const TOKEN_SCOPES = {
  "account.read": "Read the balance and the month",
  "usage.read": "Read the usage",
  "keys.read": "List the keys",
  "keys.manage": "Create, replace, restrict and revoke keys",
  "members.read": "List the members",
  "invitations.read": "List the invitations",
  "members.manage": "Invite, change and remove members",
  "audit.read": "Read the audit log",
} as const satisfies Partial<Record<Right, string>>

export type TokenScope = keyof typeof TOKEN_SCOPES

export const TOKEN_SCOPE_NAMES = Object.keys(TOKEN_SCOPES) as TokenScope[]

/** What a token may do unless its creator chooses. A token keeps these when its creator leaves the account. */
export const LASTING_SCOPES: readonly TokenScope[] = ["account.read", "keys.read", "usage.read"]

const isLasting = (right: Right): boolean => (LASTING_SCOPES as readonly Right[]).includes(right)

/** Returns the rights of a token now: of those that it was created with, the lasting ones and those that its creator's role has. */
export const tokenRightsNow = (given: readonly string[], creatorRole: Role | null): Right[] =>
  ALL_RIGHTS.filter(
    (right) => given.includes(right) && (isLasting(right) || (creatorRole !== null && roleHas(creatorRole, right))),
  )
