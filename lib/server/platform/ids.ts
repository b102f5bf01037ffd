import { randomFillSync } from "node:crypto"
import { v7, validate } from "uuid"

/** Sorts before every id. As the key id of a usage sum, it means all keys. */
export const NIL_UUID = "00000000-0000-0000-0000-000000000000"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
const HYPHEN = 45
const NINE = 57

const RANDOM_BYTES = 16
/** Random bytes for the next ids: asking the system for 4 KiB at once costs little more than for 16 bytes. */
const random = new Uint8Array(256 * RANDOM_BYTES)
let used = random.length
let latest = { msecs: 0, seq: 0 }

function nextRandom(): Uint8Array {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += RANDOM_BYTES
  return random.subarray(used - RANDOM_BYTES, used)
}

/** Starts a millisecond's sequence at 31 random bits. The sequence has 32, so it never overflows. */
const firstOfSequence = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) & 0x7fff_ffff

/** Returns a new time-ordered UUID. Each id of this process is larger than the one before, even if the clock is set back. */
export function newId(): string {
  const bytes = nextRandom()
  const msecs = Date.now()
  latest = msecs > latest.msecs ? { msecs, seq: firstOfSequence(bytes) } : { ...latest, seq: latest.seq + 1 }
  return v7({ random: bytes, ...latest })
}

/** Returns the id of a part of `id`, by the part's position, 0 to 254. It is not `id`, and has the same time. */
export const idOfPart = (id: string, position: number): string => {
  const last = Number.parseInt(id.slice(-2), 16) ^ (position + 1)
  return id.slice(0, -2) + last.toString(16).padStart(2, "0")
}

/** Returns the smallest id that can have been created at this time. */
export const firstIdAt = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Returns when an id was created. */
export const timeOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

type IdPrefix =
  | ("req" | "key" | "acc" | "top" | "ses" | "tok" | "usr" | "inv" | "whe" | "msg" | "sig" | "alw" | "bud")
  | ("opr" | "opt" | "pky")

/** Returns the public form of a UUID: its prefix and its 128 bits in 26 base32 characters, as in `req_01k34f…`. */
export function publicId(prefix: IdPrefix, uuid: string): string {
  let text = ""
  // 26 characters have room for 130 bits: the first two are zero.
  let bits = 0
  let count = 2
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i)
    if (code === HYPHEN) continue
    bits = (bits << 4) | (code <= NINE ? code & 15 : (code & 15) + 9)
    count += 4
    if (count < 5) continue
    count -= 5
    text += ALPHABET.charAt(bits >> count)
    bits &= (1 << count) - 1
  }
  return `${prefix}_${text}`
}

/** Returns the UUID of a public id with this prefix, or null when the text is not one. */
export function parsePublicId(prefix: IdPrefix, text: string): string | null {
  const match = new RegExp(`^${prefix}_([${ALPHABET}]{26})$`).exec(text)
  if (!match?.[1]) return null
  let bits = 0n
  for (const character of match[1]) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character))
  if (bits >> 128n) return null
  const hex = bits.toString(16).padStart(32, "0")
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
  return validate(uuid) ? uuid : null
}
