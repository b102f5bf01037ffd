import { z } from "zod"

/** How many UTC days back, today included. */
export const DailySpendInput = z.object({ days: z.coerce.number().int().min(1).max(366) })
export type DailySpendInput = z.infer<typeof DailySpendInput>

/** `before` is the `next` of the page before: a time in microseconds and a request's UUID. */
export const RecentRequestsInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,16}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .optional(),
})
export type RecentRequestsInput = z.infer<typeof RecentRequestsInput>
