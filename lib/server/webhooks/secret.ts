import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Runtime } from "@/lib/server/platform/runtime"

/**
 * A secret is 32 random bytes. Signing needs it, so it cannot be hashed. The database holds it encrypted with AES-256-GCM under a
 * key derived from AUTH_SECRET, as nonce, tag and ciphertext.
 */
const [NONCE, TAG] = [12, 16]

const keyOf = (authSecret: string): Buffer => Buffer.from(hkdfSync("sha256", authSecret, "", "webhook secrets", 32))

/** Creates a secret. `shown` is `whsec_` with its base64, `stored` is what the database keeps. */
export function newWebhookSecret({ env }: Runtime): { shown: string; stored: Buffer } {
  const secret = randomBytes(32)
  const [authSecret = ""] = acceptedSecrets(env)
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv("aes-256-gcm", keyOf(authSecret), nonce)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return { shown: `whsec_${secret.toString("base64")}`, stored: Buffer.concat([nonce, cipher.getAuthTag(), text]) }
}

/** Returns a stored secret, also one stored before a rotation of AUTH_SECRET. Null when no known AUTH_SECRET opens it. */
export function openWebhookSecret({ env }: Runtime, stored: Buffer): Buffer | null {
  const [nonce, tag, text] = [
    stored.subarray(0, NONCE),
    stored.subarray(NONCE, NONCE + TAG),
    stored.subarray(NONCE + TAG),
  ]
  for (const authSecret of acceptedSecrets(env)) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", keyOf(authSecret), nonce)
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()])
    } catch {
      // Encrypted with another AUTH_SECRET.
    }
  }
  return null
}

/** Returns the signature of a message as Standard Webhooks define it: `v1,` with the base64 of an HMAC-SHA256. */
export const signMessage = (secret: Buffer, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`
