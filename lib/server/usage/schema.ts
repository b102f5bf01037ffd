import { z } from "zod"

const MOST_DAYS = 366
const DAY_MS = 86_400_000

/** How many UTC days back, today included. */
const Days = z.coerce.number().int().min(1).max(MOST_DAYS)

/** A key by its public id, `key_…`. */
const KeyId = z.string().max(40)

/** Whose days; without a key, those of every key. */
export const DailySpendInput = z.object({ days: Days, keyId: KeyId.optional() })
export type DailySpendInput = z.infer<typeof DailySpendInput>

const Dates = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .refine(({ from, to }) => from <= to, "The first day is after the last.")
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, "Choose at most 366 days.")

/** So many days up to today, or the days from one to another, both included. */
export const RangeInput = z.union([Dates, z.object({ days: Days })])
export type RangeInput = z.infer<typeof RangeInput>

/** What the page sums up: a range of days, of which key and pinned model alone, and by what it is told apart over time. */
export const UsageInput = z.object({
  range: RangeInput,
  keyId: KeyId.optional(),
  model: z.string().max(128).optional(),
  by: z.enum(["key", "model"]).optional(),
})
export type UsageInput = z.infer<typeof UsageInput>

/** `answered`, `refused` (every other) or an error's code. */
const Result = z.string().regex(/^[a-z_]{1,40}$/)

/** `before` is the `next` of the page before: a time in microseconds and a request's UUID. */
export const RequestsInput = UsageInput.extend({
  result: Result.optional(),
  before: z
    .string()
    .regex(/^\d{1,16}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .optional(),
})
export type RequestsInput = z.infer<typeof RequestsInput>

/** A request by the id of its response, `req_…`. */
export const FindRequestInput = z.object({ id: z.string().trim().max(60) })
export type FindRequestInput = z.infer<typeof FindRequestInput>
