import { createTransport, type Transporter } from "nodemailer"
import type { Env } from "@/lib/server/platform/env"
import type { Log } from "@/lib/server/platform/log"
import type { Metrics } from "@/lib/server/platform/metrics"
import { isLoopbackName } from "@/lib/server/platform/own-origin"
import { writeToOutbox } from "./outbox"

export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
  /** `<id@host>`; by default a random one. */
  messageId?: string
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    mailer: Mailer
  }
}

export interface Mailer {
  /** Resolves when the SMTP server has accepted the message, or the outbox has stored it. */
  send(message: MailMessage): Promise<void>
  /**
   * Connects to `EMAIL_SERVER`, signs in there and sends nothing. Returns whether that worked, and null without a mail server. Logs a
   * warning when it stops working. Never rejects.
   */
  check(): Promise<boolean | null>
}

const TIMEOUT_MS = 10_000

/** Returns the transport of an SMTP server. Parameters of its address, such as `?requireTLS=false`, replace these options. */
function smtp(server: string): Transporter {
  return createTransport({
    url: server,
    // Sign-in links never cross a network in clear unless the operator says so.
    requireTLS: !isLoopbackName(new URL(server).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: 2 * TIMEOUT_MS,
  })
}

/** Creates the mailer for `EMAIL_SERVER`. Without it, every message becomes a file in the outbox of `DATA_DIR`. */
export function createMailer(env: Env, log: Log, metrics: Pick<Metrics, "mail">): Mailer {
  const transport = env.EMAIL_SERVER ? smtp(env.EMAIL_SERVER) : createTransport({ streamTransport: true, buffer: true })
  let works = true
  return {
    async check() {
      if (!env.EMAIL_SERVER) return null
      const cause = await transport.verify().then(
        () => null,
        (error: unknown) => ({ cause: error }),
      )
      if (cause && works)
        log.warn(
          "EMAIL_SERVER does not work, so no mail can be sent. Check its address, user, password and encryption",
          {
            event: "mail.unreachable",
            ...cause,
          },
        )
      works = cause === null
      return works
    },
    async send({ to, subject, text, html, messageId }) {
      const mail = {
        from: env.EMAIL_FROM,
        to: { name: "", address: to },
        subject,
        text,
        html,
        messageId,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      try {
        const sent = await transport.sendMail(mail)
        if (!env.EMAIL_SERVER) await writeToOutbox(env.DATA_DIR, sent.message as Buffer)
        metrics.mail("sent")
      } catch (cause) {
        metrics.mail("failed")
        log.error("A message was not sent", { event: "mail.failed", cause })
        throw cause
      }
    },
  }
}
