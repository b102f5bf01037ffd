import { BACKSLASH, QUOTE } from "./bytes"

/** What the letter after a backslash stands for; -1 where there is no such escape. */
const SINGLE = new Int16Array(256).fill(-1)
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
  SINGLE[letter.charCodeAt(0)] = meaning.charCodeAt(0)

/** True for the letter of an escape of two bytes. */
export const isSingle = (letter: number): boolean => (SINGLE[letter] as number) >= 0

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/** The UTF-16 unit of the escape whose backslash is at `at`, or -1 when it is not one. */
export function escapeUnit(body: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return -1
  const letter = body[at + 1] as number
  if (letter !== 0x75) return SINGLE[letter] as number
  if (at + 5 >= end) return -1
  const high = ((HEX[body[at + 2] as number] as number) << 4) | (HEX[body[at + 3] as number] as number)
  const low = ((HEX[body[at + 4] as number] as number) << 4) | (HEX[body[at + 5] as number] as number)
  return high < 0 || low < 0 ? -1 : (high << 8) | low
}

/**
 * Reads the content of a checked string as the UTF-8 bytes that it means, one at a time and without memory: two spellings
 * of one name give the same bytes.
 */
export class DecodedBytes {
  /** Bytes of an escaped character that are still to come, lowest first. */
  private pending = 0

  /** `at` is the offset after the opening quote. */
  constructor(
    private readonly body: Uint8Array,
    private at: number,
  ) {}

  /** Begins again at another string. */
  restart(at: number): void {
    this.at = at
    this.pending = 0
  }

  /** The next byte, or -1 at the closing quote. */
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
