import type { MailMessage } from "@/lib/server/mail/mailer"
import { runtime } from "@/lib/server/platform/runtime"

/** Makes the mailer keep its messages, and fail while `fails` is true. */
export function keepMails() {
  const kept = { sent: [] as MailMessage[], fails: false }
  const send = async (message: MailMessage) => {
    if (kept.fails) throw new Error("no mail server")
    kept.sent.push(message)
  }
  runtime().mailer = { send, check: async () => true }
  return kept
}
