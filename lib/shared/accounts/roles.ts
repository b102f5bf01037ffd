export const ROLE_NAMES = ["owner", "developer", "billing", "viewer"] as const
export type Role = (typeof ROLE_NAMES)[number]

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

const EVERYONE = ROLE_NAMES

/** The roles that have each right, and what it is for. `roleHas` and `refusalOf` read only this table. */
const RIGHTS = {
  "account.read": { roles: EVERYONE, purpose: "see this account" },
  "account.manage": { roles: ["owner"], purpose: "change this account" },
  "account.close": { roles: ["owner"], purpose: "close this account" },
  "account.export": { roles: ["owner"], purpose: "export its data" },
  "members.read": { roles: EVERYONE, purpose: "see the members" },
  "members.manage": { roles: ["owner"], purpose: "invite, change and remove members" },
  "invitations.read": { roles: ["owner"], purpose: "see the invitations" },
  "keys.read": { roles: EVERYONE, purpose: "see the keys" },
  "keys.manage": { roles: ["owner", "developer"], purpose: "manage keys" },
  "decisions.run": { roles: ["owner", "developer"], purpose: "run decisions in the console" },
  "usage.read": { roles: EVERYONE, purpose: "see the usage" },
  "outcomes.manage": { roles: ["owner", "developer"], purpose: "upload outcomes and set alarms" },
  "billing.read": { roles: ["owner", "billing", "viewer"], purpose: "see its billing records" },
  "billing.pay": { roles: ["owner", "billing"], purpose: "add credit" },
  "billing.automate": { roles: ["owner"], purpose: "save a card and change automatic top-up" },
  "tokens.read": { roles: ["owner"], purpose: "see the account tokens" },
  "tokens.manage": { roles: ["owner"], purpose: "create and revoke account tokens" },
  "webhooks.read": { roles: ["owner", "developer"], purpose: "see the webhooks" },
  "webhooks.manage": { roles: ["owner", "developer"], purpose: "manage webhooks" },
  "audit.read": { roles: ["owner", "developer", "viewer"], purpose: "read the audit log" },
  "service.operate": { roles: [], purpose: "operate this service" },
} as const satisfies Record<string, { roles: readonly Role[]; purpose: string }>

export type Right = keyof typeof RIGHTS

export const ALL_RIGHTS = Object.keys(RIGHTS) as Right[]

export const roleHas = (role: Role, right: Right): boolean => (RIGHTS[right].roles as readonly Role[]).includes(role)

/** Returns who has a right, for a refusal: "Only an owner or a developer of this account can manage keys." */
export function refusalOf(right: Right): string {
  const { roles, purpose } = RIGHTS[right]
  if (roles.length === 0) return "Only the operator of this service can do this."
  const nouns = roles.map((role) => ROLES[role].noun)
  const who = new Intl.ListFormat("en", { type: "disjunction" }).format(nouns)
  return `Only ${who} of this account can ${purpose}.`
}
