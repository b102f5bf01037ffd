import { createHmac, randomBytes } from "node:crypto"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { openSecret, resealSecret, sealSecret } from "@/lib/server/platform/sealed-secret"

const PURPOSE = "webhook secrets"

/** Encrypts a Slack address: anyone who knows it can post to its channel. */
export const sealSlackAddress = ({ env }: Runtime, url: string): Buffer => sealSecret(env, PURPOSE, Buffer.from(url))

/** Creates a secret of 32 random bytes. `shown` is `whsec_` with its base64, `stored` is what the database keeps. */
export function newWebhookSecret({ env }: Runtime): { shown: string; stored: Buffer } {
  const secret = randomBytes(32)
  return { shown: `whsec_${secret.toString("base64")}`, stored: sealSecret(env, PURPOSE, secret) }
}

/** Returns a stored secret or Slack address, also one stored before a rotation of AUTH_SECRET. Null when no known AUTH_SECRET opens it. */
export const openWebhookSecret = ({ env }: Runtime, stored: Buffer): Buffer | null => openSecret(env, PURPOSE, stored)

/**
 * Encrypts every webhook's secrets under the current AUTH_SECRET, so that the previous one is no longer needed. Returns how many it
 * encrypted. Any server may run it at any time.
 */
export async function renewWebhookSecrets(runtime: Runtime): Promise<number> {
  const { pool, env } = runtime
  if (!env.AUTH_SECRET_PREVIOUS) return 0
  const { rows } = await pool.query<Row<"WebhookEndpoint", "id" | "secret" | "previous_secret">>(
    "SELECT id, secret, previous_secret FROM webhook_endpoint",
  )
  let count = 0
  for (const { id, ...endpoint } of rows)
    for (const column of ["secret", "previous_secret"] as const) {
      const stored = endpoint[column]
      const next = stored && resealSecret(env, PURPOSE, stored)
      if (!next) continue
      // Somebody may have replaced the secret meanwhile.
      const update = `UPDATE webhook_endpoint SET ${column} = $2 WHERE id = $1 AND ${column} = $3`
      count += (await pool.query(update, [id, next, stored])).rowCount ?? 0
    }
  return count
}

/** Returns the signature of a message as Standard Webhooks define it: `v1,` with the base64 of an HMAC-SHA256. */
export const signMessage = (secret: Buffer, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`
