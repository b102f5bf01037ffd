import { z } from "zod"

/** Sets whether a candidate may be asked what the account's requests ask. */
export const TakePartInput = z.strictObject({ takesPart: z.boolean() })
export type TakePartInput = z.output<typeof TakePartInput>
