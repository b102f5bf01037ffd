import type { MemberCard } from "@/lib/shared/accounts/members"
import { cardLine } from "./member-notices"
import type { MailParts } from "./render-mail"

/** What is known about a farewell when it is sent. */
export interface FarewellFacts {
  /** The account's own name; null for none. */
  account: string | null
  /** The current address of the user who did it; null once that user was deleted. */
  by: string | null
  /** What happened to the card that the reader had saved. */
  card: MemberCard
}

interface Farewell {
  /** As the operator's area names it. */
  label: string
  write(
    facts: FarewellFacts,
    reader: { host: string; to: string },
  ): Pick<MailParts, "title" | "intro" | "terms" | "footnote">
}

const SECURITY = "You get this mail because it concerns the safety of what you had access to. It cannot be turned off."

const who = ({ by }: FarewellFacts): string => by ?? "An owner"
const nameOf = ({ account }: FarewellFacts): string => (account === null ? "the account" : `the account “${account}”`)

/** The mails to addresses that lose access, or that are no longer used. */
export const FAREWELLS = {
  account_closed: {
    label: "An account was closed",
    write: (facts, { host }) => ({
      title: `An account was closed at ${host}`,
      intro: `${who(facts)} closed ${nameOf(facts)}, which you were a member of. Its API keys no longer work, and nobody can open it again. You keep your sign-in`,
      terms: "The ledger of payments and charges is kept. For a question about remaining credit, contact the operator.",
      footnote: SECURITY,
    }),
  },
  address_changed: {
    label: "An e-mail address was changed",
    write: ({ by }, { host, to }) => ({
      title: `Your e-mail address was changed at ${host}`,
      intro: `You now sign in as ${by ?? "another address"}. Both addresses confirmed the change, and ${to} no longer signs you in. Sessions that were open stay open`,
      terms:
        "Other members of your accounts see both addresses in the audit log. This is the last mail to this address.",
      footnote: "If this was not you, contact the operator at once.",
    }),
  },
  member_removed: {
    label: "A member was removed",
    write: (facts, { host }) => ({
      title: `You were removed from an account at ${host}`,
      intro: `${who(facts)} removed you from ${nameOf(facts)}. You can no longer open it. What you created there, such as API keys, keeps working until an owner ends it.${cardLine(facts.card, null)} You keep your sign-in and your other accounts`,
      terms: "If you think that this was a mistake, ask the owners of the account to invite you again.",
      footnote: SECURITY,
    }),
  },
  removed_by_operator: {
    label: "The operator removed a member",
    write: (facts, { host }) => ({
      title: `You were removed from an account at ${host}`,
      intro: `The operator of this service removed you from ${nameOf(facts)}. You can no longer open it. What you created there, such as API keys, keeps working until an owner ends it.${cardLine(facts.card, null)} You keep your sign-in`,
      terms: "If you think that this was a mistake, contact the operator.",
      footnote: SECURITY,
    }),
  },
  removed_by_provider: {
    label: "The groups of the OpenID provider removed a member",
    write: (facts, { host }) => ({
      title: `You were removed from an account at ${host}`,
      intro: `You signed in with the OpenID provider, and none of your groups there has a role in ${nameOf(facts)}. You were therefore removed from it. What you created there, such as API keys, keeps working until an owner ends it.${cardLine(facts.card, null)} You keep your sign-in and your other accounts`,
      terms: "If you think that this was a mistake, ask the person who manages your groups at the provider.",
      footnote: SECURITY,
    }),
  },
  user_deleted: {
    label: "A user was deleted",
    write: (_, { host, to }) => ({
      title: `Your user was deleted at ${host}`,
      intro: `The user ${to} was deleted, with the accounts that nobody else was in. Their API keys no longer work. You can sign up again at any time`,
      terms: "The ledger of payments and charges is kept, without your address. This is the last mail to you.",
      footnote: "If this was not you, contact the operator at once.",
    }),
  },
} satisfies Record<string, Farewell>

export type FarewellKind = keyof typeof FAREWELLS

export const FAREWELL_KINDS = Object.keys(FAREWELLS) as FarewellKind[]

export const FAREWELL_SAMPLE: FarewellFacts = { account: "Acme", by: "grace@example.com", card: "charged" }

/** Returns the parts of a mail to an address that lost access, or whose user moved to another address. */
export function writeFarewell(
  kind: FarewellKind,
  facts: FarewellFacts,
  { consoleUrl, to }: { consoleUrl: string; to: string },
): MailParts {
  const { host } = new URL(consoleUrl)
  const farewell: Farewell = FAREWELLS[kind]
  return { ...farewell.write(facts, { host, to }), action: { label: "Open the console", link: consoleUrl } }
}
