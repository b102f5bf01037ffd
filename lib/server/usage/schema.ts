import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"
import { isTag } from "@/lib/shared/tags/tags"
import { DAY_MS } from "@/lib/shared/time"
import { TYPE_NAMES } from "@/questions/question-types"

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
  /** Keeps the answered requests with this tag. */
  tag: z.string().refine(isTag).optional(),
  by: z.enum(["key", "model"]).optional(),
})
export type UsageInput = z.infer<typeof UsageInput>

/** A UTC minute such as `2026-11-20T09:30`. */
const Minute = z.iso
  .datetime({ local: true, precision: -1 })
  .refine((text) => text.startsWith("2") && text.length === "2026-11-20T09:30".length, "Choose a minute in UTC.")

const Minutes = z
  .object({ from: Minute, to: Minute })
  .refine(({ from, to }) => from <= to, "Choose a first minute that is not after the last minute.")
  .refine(
    ({ from, to }) => Date.parse(`${to}Z`) - Date.parse(`${from}Z`) < MAX_DAYS * DAY_MS,
    "Choose at most 366 days.",
  )

/** As `RangeInput`, or a first and a last minute, both included. */
export const TimesInput = z.union([Minutes, RangeInput])
export type TimesInput = z.infer<typeof TimesInput>

/** A number of milliseconds. No request lasts as long as the bound. */
const Ms = z.coerce.number().int().min(0).max(3_600_000)

/** An amount in USD with up to twelve decimals. */
const Usd = z.string().refine((text) => (parseUsd(text) ?? -1n) >= 0n, "Enter an amount such as 0.25.")

/** `type` keeps requests with a question of the type, and `tag` answered ones with the tag. `before` is the `next` of the previous page: a time in microseconds and a UUID. */
export const RequestsInput = UsageInput.omit({ by: true }).extend({
  range: TimesInput,
  type: z.enum(TYPE_NAMES).optional(),
  minMs: Ms.optional(),
  maxMs: Ms.optional(),
  minUsd: Usd.optional(),
  maxUsd: Usd.optional(),
  before: z
    .string()
    .regex(/^\d{1,16}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    .optional(),
})
export type RequestsInput = z.infer<typeof RequestsInput>

export const FindRequestInput = z.object({ id: z.string().trim().max(60) })
export type FindRequestInput = z.infer<typeof FindRequestInput>
