import type { MemberCard } from "@/lib/shared/accounts/members"
import { ROLES, type Role } from "@/lib/shared/accounts/roles"
import { formatDateTime } from "@/lib/shared/format"
import { type Notices, OWNERS } from "./notice"

/** In place of a member's id: the OpenID provider made the change. */
export const BY_PROVIDER = "provider"

/** How a person became a member. Absent for an invitation. */
export type JoinedBy = "groups" | "domain"

interface PersonFact {
  /** `usr_…` */
  userId: string
  /** Looked up when the mail is sent. */
  email: string
  role: Role
}

/** A change that one member made to another, or to themselves, or that the OpenID provider made. */
interface Act {
  /** `usr_…`, or `BY_PROVIDER`. */
  byUserId: string
  /** The address of the member who made it, looked up when the mail is sent, or "You". */
  by: string
  /** Whether the mail goes to the person whom the change is about. */
  isYou: boolean
  /** What happened to the saved card of a member who is no longer an owner. */
  card: MemberCard
}

export interface MemberFacts {
  member_joined: PersonFact & { through?: JoinedBy }
  member_role: PersonFact & Act
  /** `userId` is the new owner. The member who transferred the ownership is a developer from then on. */
  ownership_transferred: Omit<PersonFact, "role"> & Act
  /** `browser` is a name such as "Chrome on Linux", or null. `at` is ISO text. */
  browser_new: { browser: string | null; at: string }
}

/** Returns a sentence about the saved card, or nothing. `owner` is the address of the member who saved it, null for the reader. */
export function cardLine(card: MemberCard, owner: string | null): string {
  if (card === "none") return ""
  const what = `The card that ${owner ?? "you"} saved for the account was removed`
  return card === "charged" ? ` ${what}, so automatic top-up has ended.` : ` ${what}.`
}

function writeRole({ email, role, by, isYou, card }: MemberFacts["member_role"], account: string) {
  const { noun } = ROLES[role]
  const advice = isYou ? "ask an owner to change it back" : "change it back"
  return {
    subject: isYou ? `You are now ${noun} in ${account}` : `A member is now ${noun} in ${account}`,
    intro: isYou
      ? `${by} changed your role in ${account}: you are now ${noun}.${cardLine(card, null)} If this was not intended, ${advice}`
      : `${by} changed the role of ${email} in ${account}: they are now ${noun}.${cardLine(card, email)} If this was not intended, ${advice}`,
  }
}

function writeTransfer({ email, by, isYou, card }: MemberFacts["ownership_transferred"], account: string) {
  if (by === "You")
    return {
      subject: `You are now a developer in ${account}`,
      intro: `You transferred the ownership of ${account} to ${email}, so you are now a developer there.${cardLine(card, null)} If it was not you, ask ${email} to change it back`,
    }
  const line = cardLine(card, by)
  return {
    subject: isYou ? `You are now an owner of ${account}` : `The ownership of ${account} was transferred`,
    intro: isYou
      ? `${by} transferred the ownership of ${account} to you, and is now a developer there.${line} You can change the role of every member`
      : `${by} transferred the ownership of ${account} to ${email}, and is now a developer there.${line} If this was not intended, change their roles back`,
  }
}

const SAMPLE = { userId: "usr_01k3tfa2c4e6g8j0m2p4r6t8v0", email: "grace@example.com" }
const SAMPLE_ACT = { byUserId: "usr_01k3tfa2c4e6g8j0m2p4r6t8v1", by: "ada@example.com" }

const JOINED: Record<JoinedBy, string> = {
  groups: "signed in with the OpenID provider, whose groups give a role in your account, and joined it",
  domain: "signed up with an address at a domain whose people join your account, and joined it",
}

export const MEMBER_NOTICES: Notices<MemberFacts> = {
  member_joined: {
    label: "A member joined",
    isSecurity: true,
    roles: OWNERS,
    sample: { ...SAMPLE, role: "developer" },
    write: ({ email, role, through }) => ({
      subject: "A member joined your account",
      intro: `${email} ${through ? JOINED[through] : "accepted an invitation and joined your account"} as ${ROLES[role].noun}. If you do not know this person, remove them`,
      action: { label: "Open members", path: "/members" },
      terms: ROLES[role].allows,
    }),
  },
  member_role: {
    label: "The role of a member changed",
    isSecurity: true,
    roles: OWNERS,
    sample: { ...SAMPLE, ...SAMPLE_ACT, isYou: false, role: "billing", card: "none" },
    write: (facts, account) => ({
      ...writeRole(facts, account),
      action: { label: "Open members", path: "/members" },
      terms: ROLES[facts.role].allows,
    }),
  },
  ownership_transferred: {
    label: "The ownership was transferred",
    isSecurity: true,
    roles: OWNERS,
    sample: { ...SAMPLE, ...SAMPLE_ACT, isYou: true, card: "charged" },
    write: (facts, account) => ({
      ...writeTransfer(facts, account),
      action: { label: "Open members", path: "/members" },
      terms: ROLES[facts.by === "You" ? "developer" : "owner"].allows,
    }),
  },
  browser_new: {
    label: "Someone signed in from a new browser",
    isSecurity: true,
    roles: [],
    sample: { browser: "Firefox on Linux", at: "2026-11-22T09:30:00.000Z" },
    write: ({ browser, at }) => ({
      subject: "New sign-in to your user",
      intro: `Someone signed in as you on ${formatDateTime(new Date(at))} UTC with a browser that you have not used before${browser ? ` (${browser})` : ""}. If it was not you, end that session`,
      action: { label: "See your sessions", path: "/settings#sessions" },
      terms:
        "Anyone who can sign in as you can read your mail: change the password of your mailbox. If it was you, there is nothing to do. A browser counts as new once its cookies are cleared.",
    }),
  },
}
