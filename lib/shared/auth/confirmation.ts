import { z } from "zod"

/** `returnTo` is the page of the console that the mailed link leads to, with its query. */
export const RequestConfirmationInput = z.strictObject({ returnTo: z.string().max(300) })
export type RequestConfirmationInput = z.output<typeof RequestConfirmationInput>

export interface RequestedConfirmation {
  /** Whether a mail was sent. False while one that was sent shortly before still works. */
  sent: boolean
  /** When the next one can be requested, in seconds from now. */
  retryAfterSeconds: number
}
