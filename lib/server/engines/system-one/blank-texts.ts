import { DecodedBytes } from "@/lib/shared/json/strings"
import type { JsonText } from "@/lib/shared/json/text"

/** Every white space has at most three bytes in UTF-8. Longer characters begin with this byte or a higher one. */
const LEAD_OF_FOUR = 0xf0

/** Returns whether a text is empty or a string of white space. Reads a string only up to its first other character. */
export function isBlank(text: JsonText): boolean {
  if (text.kind !== "string") return text.isEmpty()
  const bytes = new DecodedBytes(text.source, 1)
  for (let lead = bytes.next(); lead >= 0; lead = bytes.next()) {
    if (lead >= LEAD_OF_FOUR) return false
    let point = lead < 0x80 ? lead : lead < 0xe0 ? lead & 0x1f : lead & 0x0f
    for (let rest = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : 2; rest > 0; rest--)
      point = (point << 6) | (bytes.next() & 0x3f)
    if (String.fromCharCode(point).trim() !== "") return false
  }
  return true
}
