import { BACKSLASH, COMMA, DOT, MINUS, NINE, PLUS, QUOTE, SPACE, ZERO } from "./bytes"
import { escapeUnit, isLetterEscape } from "./strings"

/** Why a text is not strict JSON: negative numbers that functions return in place of an offset. `scan` counts the depth. */
export const FAULT = { grammar: -1, utf8: -2, surrogate: -3, depth: -4 } as const

/** Returns the name of one of these numbers. */
export const faultName = (fault: number): keyof typeof FAULT =>
  (Object.keys(FAULT) as (keyof typeof FAULT)[]).find((name) => FAULT[name] === fault) ?? "grammar"

// Each function takes an offset inside its token and returns the offset after it, or a `FAULT`. `end` is the length of
// `body`: one read out of bounds would make V8 slow down every later read of the array.

/** 1 for each byte that a string may hold unescaped: 0x20 to 0x7F except quote and backslash. JSON allows DEL (0x7F). */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** The plain bytes to read before reading four at a time. The 32-bit view costs more than it saves in short strings. */
const BLOCK = 512

/** Reads from after the opening quote to after the closing one. Validates escapes, control characters, UTF-8 and surrogates. */
export function stringEnd(body: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end) {
    const block = Math.min(at + BLOCK, end)
    let isPlain = true
    while (at < block) {
      const byte = body[at] as number
      if (PLAIN[byte] === 1) at++
      else if (byte === QUOTE) return at + 1
      else {
        isPlain = false
        at = byte === BACKSLASH ? escapeEnd(body, at, end) : sequenceEnd(body, at, end)
        if (at < 0) return at
      }
    }
    if (isPlain && at < end) at = longPlainEnd(body, at)
  }
  return FAULT.grammar
}

/**
 * Skips plain bytes a 32-bit word at a time. Subtracting sets the top bit of a byte that is below 0x20, or that equals the
 * quote or backslash it was XORed with. `word` itself has the top bit of non-ASCII bytes. A borrow from the next byte can
 * only stop the skip early. The first word may begin before `from`, in bytes known to be plain.
 */
function longPlainEnd(body: Uint8Array, from: number): number {
  const first = from - ((body.byteOffset + from) & 3)
  const words = new Int32Array(body.buffer, body.byteOffset + first, (body.length - first) >> 2)
  let i = 0
  for (; i < words.length; i++) {
    const word = words[i] as number
    const special = ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)
    if ((((word - 0x20202020) | special | word) & 0x80808080) !== 0) break
  }
  return Math.max(from, first + i * 4)
}

function escapeEnd(body: Uint8Array, at: number, end: number): number {
  if (at + 1 < end && isLetterEscape(body[at + 1] as number)) return at + 2
  const unit = escapeUnit(body, at, end)
  if (unit < 0) return FAULT.grammar
  const after = at + 6
  if (unit < 0xd800 || unit > 0xdfff) return after
  const low = unit < 0xdc00 && after < end && body[after] === BACKSLASH ? escapeUnit(body, after, end) : -1
  return low >= 0xdc00 && low <= 0xdfff ? after + 6 : FAULT.surrogate
}

/** Reads a non-ASCII character by Unicode's table 3-7 of well-formed UTF-8. A control character is a grammar fault. */
function sequenceEnd(body: Uint8Array, at: number, end: number): number {
  const lead = body[at] as number
  if (lead < 0x80) return FAULT.grammar
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (lead < 0xc2 || lead > 0xf4 || at + length > end) return FAULT.utf8
  const second = body[at + 1] as number
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return FAULT.utf8
  if (length > 2 && ((body[at + 2] as number) & 0xc0) !== 0x80) return FAULT.utf8
  if (length > 3 && ((body[at + 3] as number) & 0xc0) !== 0x80) return FAULT.utf8
  return at + length
}

const DIGIT = new Uint8Array(256).fill(1, ZERO, NINE + 1)

/** Reads a number. The caller checks what follows it. */
export function numberEnd(body: Uint8Array, from: number, end: number): number {
  let at = body[from] === MINUS ? from + 1 : from
  at = at < end && body[at] === ZERO ? at + 1 : digitsEnd(body, at, end)
  if (at > 0 && at < end && body[at] === DOT) at = digitsEnd(body, at + 1, end)
  if (at > 0 && at < end && ((body[at] as number) | 0x20) === 0x65) {
    const sign = at + 1 < end ? body[at + 1] : 0
    at = digitsEnd(body, sign === PLUS || sign === MINUS ? at + 2 : at + 1, end)
  }
  return at
}

/** 1 for each byte that begins a number. */
const NUMBER_START = new Uint8Array(256).fill(1, ZERO, NINE + 1)
NUMBER_START[MINUS] = 1

/**
 * Skips numbers that a comma follows, and one space after each comma. Sets how many there were in `skipped`. An item that is
 * no such number, or not valid, is left to the caller. Arrays of many numbers take most of their time here.
 */
export function numbersEnd(
  body: Uint8Array,
  from: number,
  end: number,
  skipped: { count: number; spaces: number },
): number {
  let at = from
  let count = 0
  let spaces = 0
  while (at < end && NUMBER_START[body[at] as number] === 1) {
    const after = numberEnd(body, at, end)
    if (after < 0 || after >= end || body[after] !== COMMA) break
    at = after + 1
    count++
    if (at >= end || body[at] !== SPACE) continue
    at++
    spaces++
  }
  skipped.count = count
  skipped.spaces = spaces
  return at
}

function digitsEnd(body: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && DIGIT[body[at] as number] === 1) at++
  return at > from ? at : FAULT.grammar
}

const [TRUE, FALSE, NULL] = ["true", "false", "null"].map((word) => new TextEncoder().encode(word))

/** Reads `true`, `false` or `null`. */
export function literalEnd(body: Uint8Array, from: number, end: number): number {
  const first = body[from]
  const word = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL
  if (!word || from + word.length > end) return FAULT.grammar
  for (let i = 0; i < word.length; i++) if (body[from + i] !== word[i]) return FAULT.grammar
  return from + word.length
}
