import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"

/**
 * A secret is 32 random bytes. Signing needs it, so it cannot be hashed. The database holds it encrypted with AES-256-GCM under a
 * key derived from AUTH_SECRET, as nonce, tag and ciphertext.
 */
const [NONCE, TAG] = [12, 16]

const keyOf = (authSecret: string): Buffer => Buffer.from(hkdfSync("sha256", authSecret, "", "webhook secrets", 32))

function seal(secret: Buffer, authSecret: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv("aes-256-gcm", keyOf(authSecret), nonce)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Returns null for what another AUTH_SECRET encrypted. */
function open(stored: Buffer, authSecret: string): Buffer | null {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(authSecret), stored.subarray(0, NONCE))
  decipher.setAuthTag(stored.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(stored.subarray(NONCE + TAG)), decipher.final()])
  } catch {
    return null
  }
}

/** Creates a secret. `shown` is `whsec_` with its base64, `stored` is what the database keeps. */
export function newWebhookSecret({ env }: Runtime): { shown: string; stored: Buffer } {
  const secret = randomBytes(32)
  const [authSecret = ""] = acceptedSecrets(env)
  return { shown: `whsec_${secret.toString("base64")}`, stored: seal(secret, authSecret) }
}

/** Returns a stored secret, also one stored before a rotation of AUTH_SECRET. Null when no known AUTH_SECRET opens it. */
export function openWebhookSecret({ env }: Runtime, stored: Buffer): Buffer | null {
  for (const authSecret of acceptedSecrets(env)) {
    const secret = open(stored, authSecret)
    if (secret) return secret
  }
  return null
}

/** Encrypts a stored secret under the current AUTH_SECRET. Null when it is, or when no known AUTH_SECRET opens it. */
function renewed({ env }: Runtime, stored: Buffer): Buffer | null {
  const [current = "", previous] = acceptedSecrets(env)
  if (previous === undefined || open(stored, current)) return null
  const secret = open(stored, previous)
  return secret && seal(secret, current)
}

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
      const next = stored && renewed(runtime, stored)
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
