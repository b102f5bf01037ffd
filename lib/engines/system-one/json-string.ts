import { BACKSLASH, QUOTE } from "../../json/bytes"
import type { JsonText } from "../../json/text"

/** JSON's source as a JSON string: without white space between tokens, quotes and backslashes are all there is to escape. */
function quoted(source: Uint8Array): Buffer {
  let escapes = 0
  for (const byte of source) if (byte === QUOTE || byte === BACKSLASH) escapes++
  const string = Buffer.allocUnsafeSlow(source.length + escapes + 2)
  let length = 0
  string[length++] = QUOTE
  for (const byte of source) {
    if (byte === QUOTE || byte === BACKSLASH) string[length++] = BACKSLASH
    string[length++] = byte
  }
  string[length] = QUOTE
  return string
}

/** A billed text as the bytes of a JSON string, without a text in between: it may have 28 MiB. */
export function asJsonString(text: JsonText | string): Uint8Array {
  if (typeof text === "string") return Buffer.from(JSON.stringify(text))
  return text.kind === "string" ? text.source : quoted(text.source)
}
