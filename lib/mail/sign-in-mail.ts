import "server-only"
import { runtime } from "../runtime"
import type { MailMessage } from "./mailer"

interface SignInMail {
  email: string
  token: string
  expiresAt: Date
  /** A path of our own console. */
  returnTo: string
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)

/** The link of a sign-in message. Its secret stands in the fragment, which no server, log or referrer gets to see. */
export function signInLink(consoleUrl: string, { email, token, returnTo }: SignInMail): string {
  const fragment = new URLSearchParams({ t: token, e: email, n: returnTo })
  return `${consoleUrl}/sign-in/confirm#${fragment}`
}

/** The message itself; its first link is its action. */
export function signInMessage(consoleUrl: string, mail: SignInMail): MailMessage {
  const { host } = new URL(consoleUrl)
  const link = signInLink(consoleUrl, mail)
  const until = `${mail.expiresAt.toISOString().slice(11, 16)} UTC`
  const action = `Sign in to the decision service at ${host} as ${mail.email}`
  const terms = `The link works once, until ${until} (10 minutes), in any browser.`
  const stranger =
    "You did not ask for this? Then ignore this message. Nobody is signed in without the link, and nothing has changed."
  const html = `<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1e24;background:#ffffff">
<p>${escapeHtml(action)}:</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f4db5;color:#ffffff;text-decoration:none;font-weight:600">Sign in</a></p>
<p>${escapeHtml(terms)}</p>
<p style="color:#555a66">${escapeHtml(stranger)}</p>
</body>
</html>
`
  return {
    to: mail.email,
    subject: `Sign in to ${host}`,
    text: `${action}:\n\n${link}\n\n${terms}\n\n${stranger}\n`,
    html,
  }
}

/** Sends a sign-in link; where the outbox stands in for a mail server, the terminal shows the link too. */
export async function sendSignInMail(mail: SignInMail): Promise<void> {
  const { env, mailer } = runtime()
  await mailer.send(signInMessage(env.CONSOLE_URL, mail))
  if (env.EMAIL_SERVER) return
  process.stdout.write(`Sign-in link for ${mail.email}: ${signInLink(env.CONSOLE_URL, mail)}\n`)
}
