import { BACKSLASH, QUOTE } from "@/lib/shared/json/bytes"
import type { JsonText } from "@/lib/shared/json/text"

/** Shorter numbers without an exponent are in a double's range. */
const SURELY_FINITE_DIGITS = 300

const isNumberByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45 || byte === 0x65

const known = new WeakMap<JsonText, boolean>()

/**
 * Returns whether every engine's JSON parser accepts the numbers of a client's value. llama.cpp's refuses numbers
 * outside a double's range. Such a value is sent as a string of its JSON.
 */
export function hasPlainNumbers(text: JsonText): boolean {
  if (text.kind === "string") return true
  const found = known.get(text) ?? scan(text.source)
  known.set(text, found)
  return found
}

/** Returns the position after a string that begins at `at`. */
function afterString(source: Uint8Array, at: number): number {
  let next = at + 1
  while (source[next] !== QUOTE) next += source[next] === BACKSLASH ? 2 : 1
  return next + 1
}

function isFiniteNumber(source: Uint8Array, from: number, to: number): boolean {
  const digits = source.subarray(from, to)
  const hasExponent = digits.includes(0x45) || digits.includes(0x65)
  if (!hasExponent && digits.length < SURELY_FINITE_DIGITS) return true
  return Number.isFinite(Number(Buffer.from(digits).toString("latin1")))
}

function scan(source: Uint8Array): boolean {
  for (let at = 0; at < source.length; ) {
    const byte = source[at] as number
    if (byte === QUOTE) {
      at = afterString(source, at)
      continue
    }
    const isNumber = byte === 0x2d || (byte >= 0x30 && byte <= 0x39)
    const from = at++
    if (!isNumber) continue
    while (at < source.length && isNumberByte(source[at] as number)) at++
    if (!isFiniteNumber(source, from, at)) return false
  }
  return true
}
