import { BACKSLASH, QUOTE } from "./bytes"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The most source bytes of one code point: an escaped surrogate pair. */
const LONGEST_POINT = 12

/** The name that begins at `start`, after its quote, in a checked body; null when it has more than `most` code points. */
export function nameAt(body: Uint8Array, start: number, most: number): string | null {
  const limit = start + most * LONGEST_POINT
  let isAscii = true
  let at = start
  for (; body[at] !== QUOTE; at++) {
    if (at >= limit) return null
    const byte = body[at] as number
    if (byte >= 0x80) isAscii = false
    if (byte === BACKSLASH) {
      isAscii = false
      at++
    }
  }
  if (isAscii) return at - start > most ? null : String.fromCharCode(...body.subarray(start, at))
  const name = JSON.parse(decoder.decode(body.subarray(start - 1, at + 1))) as string
  return codePoints(name) > most ? null : name
}

/** Length of a text in code points, as the spec's lengths of names are counted. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
