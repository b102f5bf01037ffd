import { BACKSLASH, QUOTE } from "./bytes"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The most source bytes of one code point: an escaped surrogate pair. */
const LONGEST_POINT = 12

/** The name that begins at `start`, after its quote, in a checked body; null when it has more than `most` code points. */
export function nameAt(body: Uint8Array, start: number, most: number): string | null {
  let name = ""
  for (let at = start; at <= start + most; at++) {
    const byte = body[at] as number
    if (byte === QUOTE) return name
    if (byte >= 0x80 || byte === BACKSLASH) return decodedName(body, start, most)
    name += String.fromCharCode(byte)
  }
  return null
}

function decodedName(body: Uint8Array, start: number, most: number): string | null {
  const limit = start + most * LONGEST_POINT
  let at = start
  while (body[at] !== QUOTE) {
    if (at >= limit) return null
    at += body[at] === BACKSLASH ? 2 : 1
  }
  const name = JSON.parse(decoder.decode(body.subarray(start - 1, at + 1))) as string
  return codePoints(name) > most ? null : name
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
