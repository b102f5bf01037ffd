import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { acceptedSecrets } from "./auth-secret"
import type { Env } from "./env"

/** What a stored secret is for. Each purpose has an encryption key of its own. */
type Purpose = "webhook secrets" | "signing keys"
type Secrets = Pick<Env, "AUTH_SECRET" | "AUTH_SECRET_PREVIOUS">

/**
 * Signing needs the secret itself, so it cannot be hashed. The database holds it encrypted with AES-256-GCM under a key derived from
 * AUTH_SECRET, as nonce, tag and ciphertext.
 */
const [NONCE, TAG] = [12, 16]

const keyOf = (authSecret: string, purpose: Purpose): Buffer =>
  Buffer.from(hkdfSync("sha256", authSecret, "", purpose, 32))

function seal(secret: Buffer, authSecret: string, purpose: Purpose): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv("aes-256-gcm", keyOf(authSecret, purpose), nonce)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Returns null for what another AUTH_SECRET encrypted. */
function open(stored: Buffer, authSecret: string, purpose: Purpose): Buffer | null {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(authSecret, purpose), stored.subarray(0, NONCE))
  decipher.setAuthTag(stored.subarray(NONCE, NONCE + TAG))
  try {
    return Buffer.concat([decipher.update(stored.subarray(NONCE + TAG)), decipher.final()])
  } catch {
    return null
  }
}

/** Encrypts a secret under the current AUTH_SECRET, for the database. */
export function sealSecret(env: Secrets, purpose: Purpose, secret: Buffer): Buffer {
  const [current = ""] = acceptedSecrets(env)
  return seal(secret, current, purpose)
}

/** Returns a stored secret, also one stored before a rotation of AUTH_SECRET. Null when no known AUTH_SECRET opens it. */
export function openSecret(env: Secrets, purpose: Purpose, stored: Buffer): Buffer | null {
  for (const authSecret of acceptedSecrets(env)) {
    const secret = open(stored, authSecret, purpose)
    if (secret) return secret
  }
  return null
}

/** Encrypts a stored secret under the current AUTH_SECRET. Null when it is, or when no known AUTH_SECRET opens it. */
export function resealSecret(env: Secrets, purpose: Purpose, stored: Buffer): Buffer | null {
  const [current = "", previous] = acceptedSecrets(env)
  if (previous === undefined || open(stored, current, purpose)) return null
  const secret = open(stored, previous, purpose)
  return secret && seal(secret, current, purpose)
}
