import { runtime } from "@/lib/server/platform/runtime"
import type { MailMessage } from "./mailer"
import { type MailBrand, mailBrand, renderMail } from "./render-mail"

type Farewell = { kind: "account_closed"; account: string; by: string } | { kind: "user_deleted" }

const SECURITY = "You get this mail because it concerns the safety of what you owned. It cannot be turned off."

/** Returns the message that reports to an address that an account was closed, or that its user was deleted. */
export function farewellMessage(consoleUrl: string, to: string, farewell: Farewell, brand?: MailBrand): MailMessage {
  const { host } = new URL(consoleUrl)
  const action = { label: "Open the console", link: consoleUrl }
  if (farewell.kind === "user_deleted") {
    const title = `Your user was deleted at ${host}`
    return {
      to,
      subject: title,
      ...renderMail(
        {
          title,
          intro: `The user ${to} was deleted, with the accounts that nobody else was in. Their API keys no longer work. You can sign up again at any time`,
          action,
          terms: "The ledger of payments and charges is kept, without your address. This is the last mail to you.",
          footnote: "If this was not you, contact the operator at once.",
        },
        brand,
      ),
    }
  }
  const title = `An account was closed at ${host}`
  return {
    to,
    subject: title,
    ...renderMail(
      {
        title,
        intro: `${farewell.by} closed the account “${farewell.account}”, which you were a member of. Its API keys no longer work, and nobody can open it again. You keep your sign-in`,
        action,
        terms:
          "The ledger of payments and charges is kept. For a question about remaining credit, contact the operator.",
        footnote: SECURITY,
      },
      brand,
    ),
  }
}

/** Sends a farewell to each address, at the same time. Never throws: what it reports is done, and the mailer logs a failure. */
export async function sendFarewell(addresses: readonly string[], farewell: Farewell): Promise<void> {
  const { env, mailer } = runtime()
  const send = (to: string) => mailer.send(farewellMessage(env.CONSOLE_URL, to, farewell, mailBrand(env)))
  await Promise.allSettled(addresses.map(send))
}
