import { isLoopbackAddress } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"
import { formatHour } from "@/lib/shared/format"
import type { MailMessage } from "./mailer"
import { type MailBrand, mailBrand, renderMail } from "./render-mail"

interface SignInMail {
  email: string
  token: string
  expiresAt: Date
  /** A path of the console. */
  returnTo: string
  /** The address that requested the link; null when unknown. */
  clientAddress: string | null
}

/** Returns the link of a sign-in message. Its token is in the fragment, which servers, logs and referrers never see. */
function signInLink(consoleUrl: string, { email, token, returnTo }: SignInMail): string {
  const fragment = new URLSearchParams({ t: token, e: email, n: returnTo })
  return `${consoleUrl}/sign-in/confirm#${fragment}`
}

/** Returns the sign-in message, which is the same for addresses with and without an account. */
export function signInMessage(consoleUrl: string, mail: SignInMail, brand?: MailBrand): MailMessage {
  const { host } = new URL(consoleUrl)
  const from =
    mail.clientAddress && !isLoopbackAddress(mail.clientAddress)
      ? ` It was requested from the address ${mail.clientAddress}.`
      : ""
  return {
    to: mail.email,
    subject: `Sign in to ${host}`,
    ...renderMail(
      {
        title: `Sign in to ${host}`,
        intro: `Sign in to ${brand?.name ?? "the decision service"} at ${host} as ${mail.email}`,
        action: { label: "Sign in", link: signInLink(consoleUrl, mail) },
        terms: `The link works once, until ${formatHour(mail.expiresAt)} UTC (10 minutes), in any browser.${from}`,
        footnote:
          "If you did not request this, ignore this message. Nobody can sign in without the link, and nothing has changed.",
      },
      brand,
    ),
  }
}

/** Sends a sign-in link. Without a mail server it also prints the link to the terminal. */
export async function sendSignInMail({ env, mailer }: Runtime, mail: SignInMail): Promise<void> {
  await mailer.send(signInMessage(env.CONSOLE_URL, mail, mailBrand(env)))
  if (env.EMAIL_SERVER) return
  process.stdout.write(`Sign-in link for ${mail.email}: ${signInLink(env.CONSOLE_URL, mail)}\n`)
}
