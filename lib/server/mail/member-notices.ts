import { ROLES, type Role } from "@/lib/shared/accounts/roles"
import { formatDateTime } from "@/lib/shared/format"
import { type Notices, OWNERS } from "./notice"

interface PersonFact {
  /** `usr_…` */
  userId: string
  /** Looked up when the mail is sent. */
  email: string
  role: Role
}

export interface MemberFacts {
  member_joined: PersonFact
  member_role: PersonFact
  /** `browser` is a name such as "Chrome on Linux", or null. `at` is ISO text. */
  browser_new: { browser: string | null; at: string }
}

export const MEMBER_NOTICES: Notices<MemberFacts> = {
  member_joined: {
    label: "A member joined",
    isSecurity: true,
    roles: OWNERS,
    write: ({ email, role }) => ({
      subject: "A member joined your account",
      intro: `${email} accepted an invitation and joined your account as ${ROLES[role].noun}. If you do not know this person, remove them`,
      action: { label: "Open members", path: "/members" },
      terms: `What the role includes: ${ROLES[role].allows}`,
    }),
  },
  member_role: {
    label: "The role of a member changed",
    isSecurity: true,
    roles: OWNERS,
    write: ({ email, role }) => ({
      subject: `A member is now ${ROLES[role].noun}`,
      intro: `The role of ${email} changed: they are now ${ROLES[role].noun}. If this was not intended, ask an owner to change it back`,
      action: { label: "Open members", path: "/members" },
      terms: `What the role includes: ${ROLES[role].allows}`,
    }),
  },
  browser_new: {
    label: "Someone signed in from a new browser",
    isSecurity: true,
    roles: [],
    write: ({ browser, at }) => ({
      subject: "New sign-in to your user",
      intro: `Someone signed in as you on ${formatDateTime(new Date(at))} UTC with a browser that you have not used before${browser ? ` (${browser})` : ""}. If it was not you, end that session`,
      action: { label: "See your sessions", path: "/settings#sessions" },
      terms:
        "Who signed in could read your mail: change the password of your mailbox. If it was you, there is nothing to do. Clearing cookies makes a browser new.",
    }),
  },
}
