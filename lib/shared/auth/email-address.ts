const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
const FORM = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`)

/** The maximum length of the text, with white space around the address, in characters. */
export const MAX_TYPED = 1_000

/**
 * Parses an e-mail address: trimmed, lower-cased, ASCII, at most 254 characters. Other alphabets, quotes and comments are rejected,
 * never normalised, so that two people never share one address. Null when the text is not one.
 */
export function parseEmailAddress(text: unknown): string | null {
  // The length is checked first, because trimming takes quadratic time.
  if (typeof text !== "string" || text.length > MAX_TYPED) return null
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")
  const address = trimmed.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return address.length <= 254 && FORM.test(address) ? address : null
}
