import { BACKSLASH, QUOTE } from "./bytes"

/** The UTF-16 unit of each one-letter escape, by its letter; -1 for a letter that is not one. */
const LETTER_ESCAPES = new Int16Array(256).fill(-1)
for (const [letter, meaning] of Object.entries({
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
}))
  LETTER_ESCAPES[letter.charCodeAt(0)] = meaning.charCodeAt(0)

/** Returns whether a backslash and this letter are an escape. */
export const isLetterEscape = (letter: number): boolean => (LETTER_ESCAPES[letter] as number) >= 0

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/** Returns the UTF-16 unit of the escape whose backslash is at `at`, or -1 when it is not an escape. */
export function escapeUnit(body: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return -1
  const letter = body[at + 1] as number
  if (letter !== 0x75) return LETTER_ESCAPES[letter] as number
  if (at + 5 >= end) return -1
  const high = ((HEX[body[at + 2] as number] as number) << 4) | (HEX[body[at + 3] as number] as number)
  const low = ((HEX[body[at + 4] as number] as number) << 4) | (HEX[body[at + 5] as number] as number)
  return high < 0 || low < 0 ? -1 : (high << 8) | low
}

/**
 * Decodes a valid string into UTF-8 bytes, one at a time and without allocating. Two spellings of one name give the
 * same bytes.
 */
export class DecodedBytes {
  /** The remaining bytes of an escaped character, the next one lowest. */
  private pending = 0

  /** `at` is the offset after the opening quote. */
  constructor(
    private readonly body: Uint8Array,
    private at: number,
  ) {}

  restart(at: number): void {
    this.at = at
    this.pending = 0
  }

  /** Returns the next byte, or -1 at the closing quote. */
  next(): number {
    if (this.pending !== 0) {
      const byte = this.pending & 0xff
      this.pending >>>= 8
      return byte
    }
    const byte = this.body[this.at] as number
    if (byte === QUOTE) return -1
    if (byte === BACKSLASH) return this.escaped()
    this.at++
    return byte
  }

  private escaped(): number {
    const unit = escapeUnit(this.body, this.at, this.body.length)
    this.at += this.body[this.at + 1] === 0x75 ? 6 : 2
    if (unit < 0x80) return unit
    if (unit < 0x800) return this.spread(0xc0 | (unit >> 6), tail(unit))
    if (unit < 0xd800 || unit > 0xdfff) return this.spread(0xe0 | (unit >> 12), tail(unit >> 6) | (tail(unit) << 8))
    const low = escapeUnit(this.body, this.at, this.body.length)
    this.at += 6
    const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)
    return this.spread(0xf0 | (point >> 18), tail(point >> 12) | (tail(point >> 6) << 8) | (tail(point) << 16))
  }

  private spread(lead: number, rest: number): number {
    this.pending = rest
    return lead
  }
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f)

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The most source bytes of one code point: an escaped surrogate pair. */
const MAX_POINT_BYTES = 12

/** Returns the name that begins at `start`, after its quote. Null when it has more than `maxPoints` code points. */
export function nameAt(body: Uint8Array, start: number, maxPoints: number): string | null {
  let name = ""
  for (let at = start; at <= start + maxPoints; at++) {
    const byte = body[at] as number
    if (byte === QUOTE) return name
    if (byte >= 0x80 || byte === BACKSLASH) return decodedName(body, start, maxPoints)
    name += String.fromCharCode(byte)
  }
  return null
}

function decodedName(body: Uint8Array, start: number, maxPoints: number): string | null {
  const limit = start + maxPoints * MAX_POINT_BYTES
  let at = start
  while (body[at] !== QUOTE) {
    if (at >= limit) return null
    at += body[at] === BACKSLASH ? 2 : 1
  }
  const name = JSON.parse(decoder.decode(body.subarray(start - 1, at + 1))) as string
  return countPoints(name) > maxPoints ? null : name
}

function countPoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
