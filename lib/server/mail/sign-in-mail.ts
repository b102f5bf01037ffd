import { isLoopbackAddress } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"
import type { MailMessage } from "./mailer"
import { renderMail } from "./render-mail"

interface SignInMail {
  email: string
  token: string
  expiresAt: Date
  /** A path of our own console. */
  returnTo: string
  /** From where the link was asked for; null when nobody knows. */
  clientAddress: string | null
}

/** The link of a sign-in message. Its secret stands in the fragment, which no server, log or referrer gets to see. */
export function signInLink(consoleUrl: string, { email, token, returnTo }: SignInMail): string {
  const fragment = new URLSearchParams({ t: token, e: email, n: returnTo })
  return `${consoleUrl}/sign-in/confirm#${fragment}`
}

const utcMinute = (at: Date): string => `${at.toISOString().slice(11, 16)} UTC`

/** The message itself; its first link is its action. The same for those who have an account and those who have none. */
export function signInMessage(consoleUrl: string, mail: SignInMail): MailMessage {
  const { host } = new URL(consoleUrl)
  const from =
    mail.clientAddress && !isLoopbackAddress(mail.clientAddress)
      ? ` It was asked for from the address ${mail.clientAddress}.`
      : ""
  return {
    to: mail.email,
    subject: `Sign in to ${host}`,
    ...renderMail({
      title: `Sign in to ${host}`,
      intro: `Sign in to the decision service at ${host} as ${mail.email}`,
      action: { label: "Sign in", link: signInLink(consoleUrl, mail) },
      terms: `The link works once, until ${utcMinute(mail.expiresAt)} (10 minutes), in any browser.${from}`,
      footnote:
        "You did not ask for this? Then ignore this message. Nobody is signed in without the link, and nothing has changed.",
    }),
  }
}

/** Sends a sign-in link; where the outbox stands in for a mail server, the terminal shows the link too. */
export async function sendSignInMail(mail: SignInMail): Promise<void> {
  const { env, mailer } = runtime()
  await mailer.send(signInMessage(env.CONSOLE_URL, mail))
  if (env.EMAIL_SERVER) return
  process.stdout.write(`Sign-in link for ${mail.email}: ${signInLink(env.CONSOLE_URL, mail)}\n`)
}
