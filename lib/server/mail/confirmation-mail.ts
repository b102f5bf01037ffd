import { isLoopbackAddress } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"
import { wishOf } from "@/lib/shared/auth/confirmation"
import { formatHour } from "@/lib/shared/format"
import type { MailMessage } from "./mailer"
import { type MailBrand, mailBrand, renderMail } from "./render-mail"

interface ConfirmationMail {
  email: string
  token: string
  expiresAt: Date
  /** A path of the console. */
  returnTo: string
  /** The address of the session that asks; null when unknown. */
  clientAddress: string | null
}

function confirmationLink(consoleUrl: string, { email, token, returnTo }: ConfirmationMail): string {
  const fragment = new URLSearchParams({ c: token, e: email, n: returnTo })
  return `${consoleUrl}/sign-in/confirm#${fragment}`
}

/** Returns the message that asks a signed-in user to confirm a sensitive change. */
export function confirmationMessage(consoleUrl: string, mail: ConfirmationMail, brand?: MailBrand): MailMessage {
  const { host } = new URL(consoleUrl)
  const from = mail.clientAddress && !isLoopbackAddress(mail.clientAddress) ? ` from ${mail.clientAddress}` : ""
  return {
    to: mail.email,
    subject: `Confirm a change at ${host}`,
    ...renderMail(
      {
        title: `Confirm a change at ${host}`,
        intro: `Someone who is signed in as ${mail.email}${from} wants to ${wishOf(mail.returnTo)}. If that is you, confirm it`,
        action: { label: "Confirm", link: confirmationLink(consoleUrl, mail) },
        terms: `The link works once, until ${formatHour(mail.expiresAt)} UTC (10 minutes), on any device. It confirms that browser for 24 hours.`,
        footnote:
          "If that is not you, do not open the link. Sign in, and under Settings end every session that you do not recognize.",
      },
      brand,
    ),
  }
}

/** Sends a confirmation. Without a mail server it also prints the link to the terminal. */
export async function sendConfirmationMail({ env, mailer }: Runtime, mail: ConfirmationMail): Promise<void> {
  await mailer.send(confirmationMessage(env.CONSOLE_URL, mail, mailBrand(env)))
  if (env.EMAIL_SERVER) return
  process.stdout.write(`Confirmation for ${mail.email}: ${confirmationLink(env.CONSOLE_URL, mail)}\n`)
}
