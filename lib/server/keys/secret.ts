import { hash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"

/**
 * A secret is its prefix, 36 random base62 characters (214 bits) and their CRC-32 in 6 characters. The database stores only its
 * SHA-256: with this much entropy a slow hash would add nothing. The checksum rejects typing errors without a query.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_LENGTH = 36
const FORM = /^([a-z]+_)([0-9A-Za-z]{36})([0-9A-Za-z]{6})$/

/** `svcd_` starts a key, which pays for decisions; `svct_` a token of an account, and `svca_` one of an operator. */
export type SecretPrefix = "svcd_" | "svct_" | "svca_"

export interface SecretToken {
  /** The secret. Shown once, never stored. */
  token: string
  sha256: Buffer
  /** `svcd_AbCd…wXyZ`, shown in lists. */
  masked: string
}

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Larger values would favour the first characters of the alphabet.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
  }
  return text
}

function checksum(random: string): string {
  let value = crc32(random)
  let text = ""
  for (let i = 0; i < 6; i++) {
    text = ALPHABET.charAt(value % 62) + text
    value = Math.floor(value / 62)
  }
  return text
}

const sha256 = (token: string): Buffer => hash("sha256", token, "buffer")

export function newSecret(prefix: SecretPrefix): SecretToken {
  const random = randomBase62(RANDOM_LENGTH)
  const token = `${prefix}${random}${checksum(random)}`
  return { token, sha256: sha256(token), masked: `${prefix}${random.slice(0, 4)}…${token.slice(-4)}` }
}

/** Returns the SHA-256 under which a secret is stored, or null when the text has another form, prefix or checksum. */
export function hashSecret(prefix: SecretPrefix, text: string): Buffer | null {
  const [, given, random, sum] = FORM.exec(text) ?? []
  return given === prefix && random !== undefined && checksum(random) === sum ? sha256(text) : null
}

/** Returns the SHA-256 of the secret in an `Authorization` header, or null when it holds none with this prefix. */
export function hashBearer(prefix: SecretPrefix, authorization: string | undefined): Buffer | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]
  return token ? hashSecret(prefix, token) : null
}
