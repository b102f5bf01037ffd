import { z } from "zod"

/** `before` is the `next` of the page before: an entry's number. */
export const ListEntriesInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})
export type ListEntriesInput = z.infer<typeof ListEntriesInput>
