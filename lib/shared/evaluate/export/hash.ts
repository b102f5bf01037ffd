import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import canonicalize from "canonicalize"

/** Writes canonical JSON (RFC 8785). Throws for a text that is no valid Unicode. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error("Only JSON has a canonical form.")
  return text
}

/** Returns the SHA-256 of a value's canonical JSON, in hex. */
export const hashOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))

/** Returns what `hashOf` returns for a list, without the text of the whole list. */
export function hashOfList(items: Iterable<unknown>): string {
  const hash = sha256.create().update(utf8ToBytes("["))
  let comma = ""
  for (const item of items) {
    hash.update(utf8ToBytes(comma + canonicalJson(item)))
    comma = ","
  }
  return bytesToHex(hash.update(utf8ToBytes("]")).digest())
}
