import type { Runtime } from "@/lib/server/platform/runtime"
import type { MemberCard } from "@/lib/shared/accounts/members"
import type { MailMessage } from "./mailer"
import { cardLine } from "./member-notices"
import { type MailBrand, type MailParts, mailBrand, renderMail } from "./render-mail"

/** Who did it, by address, and the account's own name; null for none. */
interface Ending {
  by: string
  account: string | null
}

/** What each farewell reports. */
export interface FarewellFacts {
  account_closed: Ending
  /** The address that the user has now. */
  address_changed: { newEmail: string }
  member_removed: Ending & { card: MemberCard }
  user_deleted: Record<string, never>
}

export type FarewellKind = keyof FarewellFacts

/** As the operator's area names them. */
export const FAREWELL_LABELS: Record<FarewellKind, string> = {
  account_closed: "An account was closed",
  address_changed: "An e-mail address was changed",
  member_removed: "A member was removed",
  user_deleted: "A user was deleted",
}

const SECURITY = "You get this mail because it concerns the safety of what you had access to. It cannot be turned off."

const nameOf = ({ account }: Ending): string => (account === null ? "the account" : `the account “${account}”`)

type Text = Pick<MailParts, "title" | "intro" | "terms" | "footnote">

const TEXTS: { [Kind in FarewellKind]: (facts: FarewellFacts[Kind], host: string, to: string) => Text } = {
  account_closed: (facts, host) => ({
    title: `An account was closed at ${host}`,
    intro: `${facts.by} closed ${nameOf(facts)}, which you were a member of. Its API keys no longer work, and nobody can open it again. You keep your sign-in`,
    terms: "The ledger of payments and charges is kept. For a question about remaining credit, contact the operator.",
    footnote: SECURITY,
  }),
  address_changed: ({ newEmail }, host, to) => ({
    title: `Your e-mail address was changed at ${host}`,
    intro: `You now sign in as ${newEmail}. Both addresses confirmed the change, and ${to} no longer signs you in. Sessions that were open stay open`,
    terms: "Other members of your accounts see both addresses in the audit log. This is the last mail to this address.",
    footnote: "If this was not you, contact the operator at once.",
  }),
  member_removed: (facts, host) => ({
    title: `You were removed from an account at ${host}`,
    intro: `${facts.by} removed you from ${nameOf(facts)}. You can no longer open it. API keys that you created there keep working for its members.${cardLine(facts.card, null)} You keep your sign-in and your other accounts`,
    terms: "If you think that this was a mistake, ask the owners of the account to invite you again.",
    footnote: SECURITY,
  }),
  user_deleted: (_, host, to) => ({
    title: `Your user was deleted at ${host}`,
    intro: `The user ${to} was deleted, with the accounts that nobody else was in. Their API keys no longer work. You can sign up again at any time`,
    terms: "The ledger of payments and charges is kept, without your address. This is the last mail to you.",
    footnote: "If this was not you, contact the operator at once.",
  }),
}

/** Returns the message that reports to an address that it lost access, or that its user moved to another address. */
export function farewellMessage<Kind extends FarewellKind>(
  consoleUrl: string,
  to: string,
  { kind, facts }: { kind: Kind; facts: FarewellFacts[Kind] },
  brand?: MailBrand,
): MailMessage {
  const text = TEXTS[kind](facts, new URL(consoleUrl).host, to)
  const action = { label: "Open the console", link: consoleUrl }
  return { to, subject: text.title, ...renderMail({ ...text, action }, brand) }
}

/** Sends a farewell with a fixed message id: mail programs show a mail once that was sent twice. Throws when the mail server fails. */
export async function sendFarewell<Kind extends FarewellKind>(
  { env, mailer }: Runtime,
  { id, to }: { id: string; to: string },
  farewell: { kind: Kind; facts: FarewellFacts[Kind] },
): Promise<void> {
  const messageId = `<${id}@${new URL(env.CONSOLE_URL).hostname}>`
  await mailer.send({ ...farewellMessage(env.CONSOLE_URL, to, farewell, mailBrand(env)), messageId })
}
