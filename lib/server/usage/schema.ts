import { z } from "zod"
import { DAY_MS } from "@/lib/shared/time"

/** The longest range. */
export const MAX_DAYS = 366

/** A number of UTC days, today included. */
const Days = z.coerce.number().int().min(1).max(MAX_DAYS)

const KeyId = z.string().max(40)

/** Without `keyId`, the input covers all keys. */
export const DailySpendInput = z.object({ days: Days, keyId: KeyId.optional() })
export type DailySpendInput = z.infer<typeof DailySpendInput>

/** A UTC day from 2000 to 2999. PostgreSQL cannot read the texts that JavaScript writes for the years 0 and 10000. */
const Day = z.iso.date().startsWith("2", "Choose a day from the year 2000 to 2999.")

const Dates = z
  .object({ from: Day, to: Day })
  .refine(({ from, to }) => from <= to, "Choose a first day that is not after the last day.")
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, "Choose at most 366 days.")

/** A number of days up to today, or a first and a last day, both included. */
export const RangeInput = z.union([Dates, z.object({ days: Days })])
export type RangeInput = z.infer<typeof RangeInput>

/** `answered`, `refused` for every request that was not answered, or the code of an error. */
const Result = z.string().regex(/^[a-z_]{1,40}$/)

export const UsageInput = z.object({
  range: RangeInput,
  keyId: KeyId.optional(),
  model: z.string().max(128).optional(),
  result: Result.optional(),
  by: z.enum(["key", "model"]).optional(),
})
export type UsageInput = z.infer<typeof UsageInput>

/** `before` is the `next` of the previous page: a time in microseconds and a request's UUID. */
export const RequestsInput = UsageInput.extend({
  before: z
    .string()
    .regex(/^\d{1,16}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .optional(),
})
export type RequestsInput = z.infer<typeof RequestsInput>

export const FindRequestInput = z.object({ id: z.string().trim().max(60) })
export type FindRequestInput = z.infer<typeof FindRequestInput>
