import type { Runtime } from "@/lib/server/platform/runtime"
import { ROLES, type Role } from "@/lib/shared/accounts/roles"
import { formatDate } from "@/lib/shared/format"
import type { MailMessage } from "./mailer"
import { type MailBrand, mailBrand, renderMail } from "./render-mail"

interface InvitationMail {
  /** `inv_…` */
  id: string
  email: string
  role: Role
  /** The name of the account. */
  account: string
  /** The address of the member who invites. */
  invitedBy: string
  expiresAt: Date
}

/** Returns the message that invites an address to an account. Its link is no secret: anyone who follows it must sign in with the address. */
export function invitationMessage(consoleUrl: string, mail: InvitationMail, brand?: MailBrand): MailMessage {
  const { host } = new URL(consoleUrl)
  const title = `Join an account at ${host}`
  return {
    to: mail.email,
    subject: title,
    ...renderMail(
      {
        title,
        intro: `${mail.invitedBy} invites you to the account “${mail.account}” as ${ROLES[mail.role].noun}. To join, sign in as ${mail.email}`,
        action: { label: "View invitation", link: `${consoleUrl}/join/${mail.id}` },
        terms: `The invitation is valid until ${formatDate(mail.expiresAt)} (7 days), on any device, for this address only.`,
        footnote: "If you do not know who invites you, ignore this message. Nothing happens until you join.",
      },
      brand,
    ),
  }
}

/** Sends an invitation. Throws when the mail server fails. */
export async function sendInvitationMail({ env, mailer }: Runtime, mail: InvitationMail): Promise<void> {
  await mailer.send(invitationMessage(env.CONSOLE_URL, mail, mailBrand(env)))
}
