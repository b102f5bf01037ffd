import { createHmac } from "node:crypto"
import { addressBlock } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"

const MESSAGES = {
  "sign_in.link_sent": "A sign-in or confirmation link was sent",
  "sign_in.link_limited": "A sign-in or confirmation link was not sent because of a limit",
  "sign_in.link_used": "A sign-in or confirmation link was used",
  "sign_in.link_refused": "A sign-in or confirmation link was refused",
  "sign_in.send_failed": "A sign-in or confirmation link was not sent",
  "sign_in.confirm_failed": "A sign-in link was not confirmed",
  "sign_in.budget_low": "Most of the sign-in mails of this hour were sent",
  "sign_in.oidc_used": "A person signed in with the OpenID provider",
  "sign_in.oidc_refused": "A sign-in with the OpenID provider was refused",
  "sign_in.passkey_used": "A passkey confirmed a session",
  "sign_in.passkey_refused": "A passkey was not accepted",
  "session.started": "A session started",
  "session.ended": "A session ended",
} as const

export type SignInEvent = keyof typeof MESSAGES

interface SignInFields {
  email?: string
  clientAddress?: string | null
  accountId?: string
  requestId?: string
  reason?: string
  /** More about the reason, without what was sent. */
  detail?: string
  count?: number
  cause?: unknown
}

const FAILURES: ReadonlySet<SignInEvent> = new Set(["sign_in.send_failed", "sign_in.confirm_failed"])
const WARNINGS: ReadonlySet<SignInEvent> = new Set([
  "sign_in.link_limited",
  "sign_in.link_refused",
  "sign_in.oidc_refused",
  "sign_in.passkey_refused",
  "sign_in.budget_low",
])

const REFUSALS: ReadonlySet<SignInEvent> = new Set([
  "sign_in.link_refused",
  "sign_in.oidc_refused",
  "sign_in.passkey_refused",
])

/**
 * Returns 16 characters that stand for an address in the log. Events of one address can be linked, but without `AUTH_SECRET`
 * nobody can find out which address it is.
 */
export const keyedHash = ({ env }: Runtime, kind: "email" | "client", address: string): string =>
  createHmac("sha256", env.AUTH_SECRET ?? "")
    .update(`log:${kind}:${address}`)
    .digest("base64url")
    .slice(0, 16)

/**
 * Logs and counts one event of sign-in. Addresses are logged only as keyed hashes. All clients in an IPv6 /64 have the same hash. Of a
 * client's refused links, further ones of a minute are only counted.
 */
export function recordSignIn(
  runtime: Runtime,
  event: SignInEvent,
  { email, clientAddress, ...fields }: SignInFields = {},
): void {
  const { log, metrics, refusals } = runtime
  metrics.signIn(event)
  const client = clientAddress ? addressBlock(clientAddress) : null
  if (REFUSALS.has(event) && !refusals.count(runtime, client ?? "")) return
  const line = {
    event,
    ...(email ? { emailHash: keyedHash(runtime, "email", email) } : {}),
    ...(client ? { clientHash: keyedHash(runtime, "client", client) } : {}),
    ...fields,
  }
  if (FAILURES.has(event)) log.error(MESSAGES[event], line)
  else if (WARNINGS.has(event)) log.warn(MESSAGES[event], line)
  else log.info(MESSAGES[event], line)
}
