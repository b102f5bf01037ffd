import { z } from "zod"
import { type ConfirmedVerb, confirmationOf } from "./confirmations"

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
const FORM = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`)

/** The maximum length of the text, with white space around the address, in characters. */
const MAX_TYPED = 1_000
const INVALID = "Enter an e-mail address such as ada@example.com."

/**
 * An e-mail address: trimmed, lower-cased, ASCII, at most 254 characters. Other alphabets, quotes and comments are
 * rejected, never normalised, so that two people never share one address.
 */
export const EmailAddress = z
  .string()
  // Checked first, because trimming takes quadratic time.
  .max(MAX_TYPED, INVALID)
  .transform((text) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
  .refine((text) => text.length <= 254 && FORM.test(text), INVALID)

/** Parses an e-mail address; null when the text is not one. */
export function parseEmailAddress(text: unknown): string | null {
  const result = EmailAddress.safeParse(text)
  return result.success ? result.data : null
}

/** The name of a verb that needs a confirmation. */
export const VerbToConfirm = z.custom<ConfirmedVerb>(
  (verb) => typeof verb === "string" && confirmationOf(verb) !== null,
)

/** `verb` is what the user was refused. `returnTo` is the page of the console that the mailed link leads to, with its query. */
export const RequestConfirmationInput = z.strictObject({
  verb: VerbToConfirm,
  returnTo: z.string().max(300),
})
export type RequestConfirmationInput = z.output<typeof RequestConfirmationInput>

/** A session by its public id, `ses_…`. */
export const EndSessionInput = z.strictObject({ id: z.string() })
export type EndSessionInput = z.output<typeof EndSessionInput>
