import { z } from "zod"
import { type ConfirmedVerb, confirmationOf } from "./confirmations"
import { MAX_TYPED, parseEmailAddress } from "./email-address"

const INVALID = "Enter an e-mail address such as ada@example.com."

/** An e-mail address, as `parseEmailAddress` returns it. */
export const EmailAddress = z
  .string()
  .max(MAX_TYPED, INVALID)
  .transform((text, context) => {
    const address = parseEmailAddress(text)
    if (address !== null) return address
    context.addIssue({ code: "custom", message: INVALID })
    return z.NEVER
  })

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
