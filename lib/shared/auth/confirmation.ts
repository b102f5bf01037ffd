import { z } from "zod"

/** `returnTo` is the page of the console that the mailed link leads to, with its query. */
export const RequestConfirmationInput = z.strictObject({ returnTo: z.string().max(300) })
export type RequestConfirmationInput = z.output<typeof RequestConfirmationInput>

/** Returns what a user who asks for a confirmation on a page wants to do, as the end of a sentence. */
export function wishOf(returnTo: string): string {
  if (returnTo.startsWith("/operator")) return "operate this service"
  if (returnTo.startsWith("/members")) return "change who can use the account"
  if (returnTo.startsWith("/settings")) return "change the user's address, delete the user or close the account"
  return "pay or to create an API key without a spend limit"
}

export interface RequestedConfirmation {
  /** Whether a mail was sent. False shortly after another one, and while a limit on mails is used up. */
  sent: boolean
  /** When the next one can be requested, in seconds from now. */
  retryAfterSeconds: number
}
