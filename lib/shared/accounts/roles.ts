export const ROLE_NAMES = ["owner", "developer", "billing", "viewer"] as const
export type Role = (typeof ROLE_NAMES)[number]

/** The roles that a setting can give, to a group at the OpenID provider or to a domain. Nobody becomes an owner without an owner. */
export const GIVEN_ROLES = ["developer", "billing", "viewer"] as const satisfies readonly Role[]
export type GivenRole = (typeof GIVEN_ROLES)[number]

/** A role as the interface names it, and a sentence on what it allows. */
export const ROLES: Record<Role, { label: string; noun: string; allows: string }> = {
  owner: {
    label: "Owner",
    noun: "an owner",
    allows: "Owners can do everything, also with members and the account itself.",
  },
  developer: {
    label: "Developer",
    noun: "a developer",
    allows:
      "Developers can manage keys and webhooks, run the playground and evaluations, and read usage and the audit log.",
  },
  billing: {
    label: "Billing",
    noun: "a billing member",
    allows: "Billing members can top up, and read receipts, statements and usage.",
  },
  viewer: {
    label: "Viewer",
    noun: "a viewer",
    allows: "Viewers can read keys, members, usage, billing and the audit log, and change nothing.",
  },
}

/** The roles of people who operate the service, in order: each may also do what the ones before it may do. */
export const OPERATOR_ROLES = ["support", "finance", "admin"] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** What admins can make others. `OPERATOR_EMAILS` names the admins, so nobody becomes one in the console. */
export const INVITED_ROLES = ["support", "finance"] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

/** An operator role as the interface names it, and a sentence on what it allows. */
export const OPERATORS: Record<OperatorRole, { label: string; noun: string; allows: string }> = {
  support: {
    label: "Support",
    noun: "a support operator",
    allows: "Support operators can see every account, payment, mail and audit entry, and change nothing.",
  },
  finance: {
    label: "Finance",
    noun: "a finance operator",
    allows:
      "Finance operators can also add and subtract credit, refund and settle payments, set allowances and verify the ledger.",
  },
  admin: {
    label: "Admin",
    noun: "an admin",
    allows: "Admins can do everything. The setting OPERATOR_EMAILS names them.",
  },
}

const EVERYONE = ROLE_NAMES

interface RightFacts {
  /** Of the account. */
  roles: readonly Role[]
  /** The first operator role that has it. */
  operator: OperatorRole
  purpose: string
}

/** Who has each right, and what it is for. `roleHas`, `operatorHas` and `refusalOf` read only this table. */
const RIGHTS = {
  "account.read": { roles: EVERYONE, operator: "support", purpose: "see this account" },
  "account.manage": { roles: ["owner"], operator: "admin", purpose: "change this account" },
  "account.close": { roles: ["owner"], operator: "admin", purpose: "close this account" },
  "account.export": { roles: ["owner"], operator: "admin", purpose: "export its data" },
  "members.read": { roles: EVERYONE, operator: "support", purpose: "see the members" },
  "members.manage": { roles: ["owner"], operator: "admin", purpose: "invite, change and remove members" },
  "invitations.read": { roles: ["owner"], operator: "support", purpose: "see the invitations" },
  "keys.read": { roles: EVERYONE, operator: "support", purpose: "see the keys" },
  "keys.manage": { roles: ["owner", "developer"], operator: "admin", purpose: "manage keys" },
  "decisions.run": { roles: ["owner", "developer"], operator: "admin", purpose: "run decisions in the console" },
  "usage.read": { roles: EVERYONE, operator: "support", purpose: "see the usage" },
  "outcomes.manage": { roles: ["owner", "developer"], operator: "admin", purpose: "upload outcomes and set alarms" },
  "billing.read": { roles: ["owner", "billing", "viewer"], operator: "support", purpose: "see its billing records" },
  "billing.pay": { roles: ["owner", "billing"], operator: "admin", purpose: "add credit" },
  "billing.automate": { roles: ["owner"], operator: "admin", purpose: "save a card and change automatic top-up" },
  "tokens.read": { roles: ["owner"], operator: "support", purpose: "see the account tokens" },
  "tokens.manage": { roles: ["owner"], operator: "admin", purpose: "create and revoke account tokens" },
  "webhooks.read": { roles: ["owner", "developer"], operator: "support", purpose: "see the webhooks" },
  "webhooks.manage": { roles: ["owner", "developer"], operator: "admin", purpose: "manage webhooks" },
  "audit.read": { roles: ["owner", "developer", "viewer"], operator: "support", purpose: "read the audit log" },
  "service.read": { roles: [], operator: "support", purpose: "look at its accounts" },
  "service.finance": { roles: [], operator: "finance", purpose: "credit accounts and settle payments" },
  "service.operate": { roles: [], operator: "admin", purpose: "change it" },
} as const satisfies Record<string, RightFacts>

export type Right = keyof typeof RIGHTS

export const ALL_RIGHTS = Object.keys(RIGHTS) as Right[]

export const roleHas = (role: Role, right: Right): boolean => (RIGHTS[right].roles as readonly Role[]).includes(role)

export const operatorHas = (role: OperatorRole, right: Right): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(RIGHTS[right].operator)

/** Returns the nouns of the operators who have a right. All have it if support has it. */
const operatorsWith = (right: Right): string[] =>
  operatorHas("support", right)
    ? ["an operator"]
    : OPERATOR_ROLES.filter((role) => operatorHas(role, right)).map((role) => OPERATORS[role].noun)

/** Returns who has a right, for a refusal: "Only an owner or a developer of this account can manage keys." */
export function refusalOf(right: Right): string {
  const { roles, purpose } = RIGHTS[right]
  const nouns = roles.length === 0 ? operatorsWith(right) : roles.map((role) => ROLES[role].noun)
  const who = new Intl.ListFormat("en", { type: "disjunction" }).format(nouns)
  return `Only ${who} of this ${roles.length === 0 ? "service" : "account"} can ${purpose}.`
}
