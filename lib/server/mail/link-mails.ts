import { isLoopbackAddress } from "@/lib/server/platform/client-address"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { INVITATION_DAYS } from "@/lib/shared/accounts/invitation-days"
import { type InvitedRole, OPERATORS, ROLES, type Role } from "@/lib/shared/accounts/roles"
import { CONFIRMATIONS, type ConfirmedVerb, SCOPES } from "@/lib/shared/auth/confirmations"
import { LINK_MINUTES } from "@/lib/shared/auth/link-minutes"
import { formatDate, formatHour } from "@/lib/shared/format"
import type { MailMessage } from "./mailer"
import { BUILT_IN, type MailBrand, type MailParts, mailBrand, renderMail } from "./render-mail"

interface Link {
  /** The address that gets the mail. */
  to: string
  expiresAt: Date
}

interface SessionLink extends Link {
  token: string
  /** A path of the console. */
  returnTo: string
  /** The address of the client that asks; null when unknown. */
  clientAddress: string | null
}

/** What each mail with a link reports. */
export interface LinkFacts {
  /** `role` is null for a person who was removed. `by` is the admin's address; null at the command line. */
  operator_role: { to: string; role: InvitedRole | null; by: string | null }
  sign_in: SessionLink
  /** In place of a sign-in link, for an address without a user that `SIGN_UP` does not admit. */
  sign_up_refused: Pick<SessionLink, "to" | "clientAddress"> & { policy: SignUpPolicy }
  /** `verb` is what the user was refused. */
  confirmation: SessionLink & { verb: ConfirmedVerb }
  /** Goes to the user of the address that a person of the OpenID provider has. `provider` is the provider's name. */
  identity: Omit<SessionLink, "returnTo"> & { provider: string }
  /** Goes to both addresses, with a token for each. */
  email_change: Link & { oldEmail: string; newEmail: string; token: string }
  /**
   * `id` is `inv_…`, `account` the account's name, and `invitedBy` the address of the member who invites. `isTransfer` offers a member the
   * ownership, which the inviting one then gives up.
   */
  invitation: Link & { id: string; role: Role; account: string; invitedBy: string; isTransfer: boolean }
}

type SignUpPolicy = Env["SIGN_UP"]

const NEEDED: Record<SignUpPolicy, string> = {
  open: "You can sign up now.",
  domains: "A new user needs an invitation, or an address at a domain that the operator has chosen.",
  invited: "A new user needs an invitation.",
  off: "The service accepts no new users.",
}

export type LinkKind = keyof LinkFacts

interface LinkMail<Facts> {
  /** What the terminal calls the link, which it prints when there is no mail server. Null for a link without a secret. */
  printedAs: string | null
  /** Facts for the tests, one for each wording. */
  samples: [Facts, ...Facts[]]
  /** Returns the parts, with a path of the console as the link. A secret is in its fragment, which servers, logs and referrers never see. */
  write(
    facts: Facts,
    at: { host: string; service: string },
  ): Pick<MailParts, "title" | "intro" | "terms" | "footnote"> & { action: { label: string; path: string } }
}

const confirmPath = (fragment: Record<string, string>): string =>
  `/sign-in/confirm#${new URLSearchParams(fragment).toString()}`

/** Returns " from 203.0.113.9", with the text before the address; nothing for an unknown or local address. */
const clientOf = ({ clientAddress }: Pick<SessionLink, "clientAddress">, before: string, after = ""): string =>
  clientAddress && !isLoopbackAddress(clientAddress) ? `${before}${clientAddress}${after}` : ""

const SESSION: SessionLink = {
  to: "ada.lovelace.of.the.analytical.engine@example.com",
  token: "0123456789abcdef".repeat(4),
  expiresAt: new Date("2026-11-20T15:14:59Z"),
  returnTo: "/keys",
  clientAddress: "192.0.2.7",
}
const INVITATION: LinkFacts["invitation"] = {
  to: SESSION.to,
  id: "inv_01k3tfa2c4e6g8j0m2p4r6t8v0",
  role: "developer",
  account: "Acme",
  invitedBy: "grace@example.com",
  isTransfer: false,
  expiresAt: SESSION.expiresAt,
}
const MOVE = { oldEmail: SESSION.to, newEmail: "ada@example.org", token: SESSION.token, expiresAt: SESSION.expiresAt }

/** The mails that are sent at once and never stored, because most of their links are secret. */
export const LINK_MAILS: { [Kind in LinkKind]: LinkMail<LinkFacts[Kind]> } = {
  // The same for addresses with and without an account.
  sign_in: {
    printedAs: "Sign-in link",
    samples: [SESSION],
    write: (facts, { host, service }) => ({
      title: `Sign in to ${host}`,
      intro: `Sign in to ${service} at ${host} as ${facts.to}`,
      action: { label: "Sign in", path: confirmPath({ t: facts.token, e: facts.to, n: facts.returnTo }) },
      terms: `The link works once, until ${formatHour(facts.expiresAt)} UTC (${LINK_MINUTES} minutes), in any browser.${clientOf(facts, " It was requested from the address ", ".")}`,
      footnote:
        "If you did not request this, ignore this message. Nobody can sign in without the link, and nothing has changed.",
    }),
  },
  sign_up_refused: {
    printedAs: null,
    samples: [
      { ...SESSION, policy: "domains" },
      { ...SESSION, policy: "invited" },
      { ...SESSION, policy: "off" },
    ],
    write: (facts, { host, service }) => ({
      title: `This address has no user at ${host}`,
      intro: `Someone${clientOf(facts, " at ")} asked to sign in to ${service} at ${host} as ${facts.to}. No user has this address, and it cannot sign up. To sign in with another address, open`,
      action: { label: "Sign in with another address", path: "/sign-in" },
      terms: NEEDED[facts.policy],
      footnote: "If you did not request this, ignore this message. Nothing has changed.",
    }),
  },
  confirmation: {
    printedAs: "Confirmation",
    samples: [
      { ...SESSION, verb: "createKey" },
      { ...SESSION, verb: "transferOwnership" },
    ],
    write: (facts, { host }) => ({
      title: `Confirm a change at ${host}`,
      intro: `Someone who is signed in as ${facts.to}${clientOf(facts, " from ")} wants to ${CONFIRMATIONS[facts.verb].asks}. If that is you, confirm it`,
      action: {
        label: "Confirm",
        path: confirmPath({ c: facts.token, e: facts.to, n: facts.returnTo, v: facts.verb }),
      },
      terms: `The link works once, until ${formatHour(facts.expiresAt)} UTC (${LINK_MINUTES} minutes), on any device. For 24 hours, that browser may then ${SCOPES[CONFIRMATIONS[facts.verb].scope]}, and nothing else that needs a confirmation.`,
      footnote:
        "If that is not you, do not open the link. Sign in, and under Settings end every session that you do not recognize.",
    }),
  },
  identity: {
    printedAs: "Confirmation",
    samples: [{ ...SESSION, provider: "Acme ID" }],
    write: (facts, { host, service }) => ({
      title: `Confirm another way to sign in at ${host}`,
      intro: `Someone${clientOf(facts, " at ")} signed in with ${facts.provider} as ${facts.to}. You use ${service} at ${host} with this address. If that is you, confirm it`,
      action: { label: "Confirm", path: confirmPath({ i: facts.token, e: facts.to }) },
      terms: `The link works once, until ${formatHour(facts.expiresAt)} UTC (${LINK_MINUTES} minutes), and only in the browser that signed in. From then on, that person at ${facts.provider} signs in as you.`,
      footnote: "If that is not you, do not open the link. Nothing has changed.",
    }),
  },
  email_change: {
    printedAs: "Confirmation",
    samples: [
      { ...MOVE, to: MOVE.oldEmail },
      { ...MOVE, to: MOVE.newEmail },
    ],
    write: ({ to, oldEmail, newEmail, token, expiresAt }, { host }) => ({
      title: `Confirm the change of your e-mail address at ${host}`,
      intro:
        to === oldEmail
          ? `Someone who is signed in as ${oldEmail} wants to sign in as ${newEmail} from now on. If that is you, confirm it`
          : `The user ${oldEmail} wants to use this address, ${newEmail}, from now on. If that is you, confirm it`,
      action: { label: "Confirm address", path: confirmPath({ m: token, e: to }) },
      terms: `The link works until ${formatHour(expiresAt)} UTC (1 hour), on any device. The address changes once both addresses have confirmed.`,
      footnote:
        to === oldEmail
          ? "If that is not you, do not open the link. Sign in, cancel the change under Settings, and end every session that you do not recognize."
          : "If you do not know this user, ignore this message. Nothing happens without you.",
    }),
  },
  // As for an invitation, the link is no secret.
  operator_role: {
    printedAs: null,
    samples: [
      { to: SESSION.to, role: "finance", by: "grace@example.com" },
      { to: SESSION.to, role: null, by: null },
    ],
    write: ({ to, role, by }, { host, service }) => {
      const admin = by ?? "An admin"
      return role === null
        ? {
            title: `You no longer operate the service at ${host}`,
            intro: `${admin} ended your role as an operator of ${service}. You keep your sign-in and your accounts`,
            action: { label: "Open the console", path: "/" },
            terms: "If you think that this was a mistake, ask an admin of the service.",
            footnote: "You get this mail because it concerns what you had access to. It cannot be turned off.",
          }
        : {
            title: `Help to operate the service at ${host}`,
            intro: `${admin} made you ${OPERATORS[role].noun} of ${service}. ${OPERATORS[role].allows} To begin, sign in as ${to}`,
            action: { label: "Open the operator’s area", path: "/operator" },
            terms: "Only this address opens the area, until an admin ends your role.",
            footnote: "If you do not know who invited you, ignore this message.",
          }
    },
  },
  // Its link is no secret: anyone who follows it must sign in with the address.
  invitation: {
    printedAs: null,
    samples: [INVITATION, { ...INVITATION, role: "owner", isTransfer: true }],
    write: ({ to, id, role, account, invitedBy, expiresAt, isTransfer }, { host }) => {
      const offer = isTransfer ? "offer" : "invitation"
      const { noun, allows } = ROLES[role]
      return {
        title: isTransfer ? `Take over an account at ${host}` : `Join an account at ${host}`,
        intro: isTransfer
          ? `${invitedBy} offers you the ownership of the account “${account}”. You then become an owner, and ${invitedBy} becomes a developer. ${allows} To accept, sign in as ${to}`
          : `${invitedBy} invited you to the account “${account}” as ${noun}. ${allows} To join, sign in as ${to}`,
        action: { label: `View ${offer}`, path: `/join/${id}` },
        terms: `The ${offer} is valid until ${formatDate(expiresAt)} (${INVITATION_DAYS} days), on any device, for this address only.`,
        footnote: isTransfer
          ? "If you do not want it, ignore this message. Nothing happens until you accept."
          : "If you do not know who invited you, ignore this message. Nothing happens until you join.",
      }
    },
  },
}

export const LINK_KINDS = Object.keys(LINK_MAILS) as LinkKind[]

function write<Kind extends LinkKind>(kind: Kind, facts: LinkFacts[Kind], consoleUrl: string, brand: MailBrand) {
  const at = { host: new URL(consoleUrl).host, service: brand.name }
  const { action, ...text } = LINK_MAILS[kind].write(facts, at)
  const link = `${consoleUrl}${action.path}`
  return { message: renderMail(facts.to, { ...text, action: { label: action.label, link } }, brand), link }
}

/** Returns the message of a mail with a link. */
export const linkMessage = <Kind extends LinkKind>(
  kind: Kind,
  facts: LinkFacts[Kind],
  consoleUrl: string,
  brand: MailBrand = BUILT_IN,
): MailMessage => write(kind, facts, consoleUrl, brand).message

/** Sends a mail with a link. Without a mail server, prints a secret link to the terminal too. Throws when the mail server fails. */
export async function sendLinkMail<Kind extends LinkKind>(
  { env, mailer }: Runtime,
  kind: Kind,
  facts: LinkFacts[Kind],
): Promise<void> {
  const { message, link } = write(kind, facts, env.CONSOLE_URL, mailBrand(env))
  await mailer.send(message)
  const { printedAs } = LINK_MAILS[kind]
  if (printedAs && !env.EMAIL_SERVER) process.stdout.write(`${printedAs} for ${facts.to}: ${link}\n`)
}
