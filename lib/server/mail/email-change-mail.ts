import type { Runtime } from "@/lib/server/platform/runtime"
import { formatHour } from "@/lib/shared/format"
import type { MailMessage } from "./mailer"
import { type MailBrand, mailBrand, renderMail } from "./render-mail"

interface EmailChangeMail {
  /** The address that gets this mail and confirms with it. */
  to: string
  oldEmail: string
  newEmail: string
  token: string
  expiresAt: Date
}

/** Returns the link that confirms one of the two addresses. Its secret is in the fragment, which servers, logs and referrers never see. */
function emailChangeLink(consoleUrl: string, { token, to }: EmailChangeMail): string {
  return `${consoleUrl}/sign-in/confirm#${new URLSearchParams({ m: token, e: to })}`
}

/** Returns the message that asks one of two addresses to confirm that a user moves from one to the other. */
export function emailChangeMessage(consoleUrl: string, mail: EmailChangeMail, brand?: MailBrand): MailMessage {
  const { host } = new URL(consoleUrl)
  const isOld = mail.to === mail.oldEmail
  const title = `Confirm the change of your e-mail address at ${host}`
  return {
    to: mail.to,
    subject: title,
    ...renderMail(
      {
        title,
        intro: isOld
          ? `Someone who is signed in as ${mail.oldEmail} wants to sign in as ${mail.newEmail} from now on. If that is you, confirm it`
          : `The user ${mail.oldEmail} wants to use this address, ${mail.newEmail}, from now on. If that is you, confirm it`,
        action: { label: "Confirm address", link: emailChangeLink(consoleUrl, mail) },
        terms: `The link works until ${formatHour(mail.expiresAt)} UTC (1 hour), on any device. The address changes once both addresses have confirmed.`,
        footnote: isOld
          ? "If that is not you, do not open the link. Sign in, cancel the change under Settings, and end every session that you do not recognize."
          : "If you do not know this user, ignore this message. Nothing happens without you.",
      },
      brand,
    ),
  }
}

/** Sends one of the two confirmations. Without a mail server it also prints the link to the terminal. */
export async function sendEmailChangeMail({ env, mailer }: Runtime, mail: EmailChangeMail): Promise<void> {
  await mailer.send(emailChangeMessage(env.CONSOLE_URL, mail, mailBrand(env)))
  if (env.EMAIL_SERVER) return
  process.stdout.write(`Confirmation for ${mail.to}: ${emailChangeLink(env.CONSOLE_URL, mail)}\n`)
}
