import { parse as parseUuid, stringify, v7, validate } from "uuid"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** A new time-ordered UUID, for every row we make. */
export const newId = (): string => v7()

type IdPrefix = "req" | "key" | "acc" | "top" | "ses"

/** A UUID as people see it: `req_`, `key_`, `acc_`, `top_` or `ses_` and its 128 bits in 26 base32 characters. */
export function publicId(prefix: IdPrefix, uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll("-", "")}`)
  let text = ""
  for (let i = 0; i < 26; i++) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text
    bits >>= 5n
  }
  return `${prefix}_${text}`
}

/** The UUID of a public id with this prefix, or null when the text is not one. */
export function parsePublicId(prefix: IdPrefix, text: string): string | null {
  const match = new RegExp(`^${prefix}_([${ALPHABET}]{26})$`).exec(text)
  if (!match?.[1]) return null
  let bits = 0n
  for (const character of match[1]) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character))
  if (bits >> 128n) return null
  const uuid = stringify(Uint8Array.from(Buffer.from(bits.toString(16).padStart(32, "0"), "hex")))
  return validate(uuid) && parseUuid(uuid).length === 16 ? uuid : null
}
