import { z } from "zod"

/** Exact text, twelve decimals. */
export const Usd = (description: string) =>
  z
    .string()
    .regex(/^-?[0-9]+\.[0-9]{12}$/)
    .meta({ description: `${description} USD, twelve decimals.` })

export const Id = (prefix: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`))
    .meta({ description })

export const Time = (description: string) => z.iso.datetime().meta({ description })
export const Next = z.string().nullable().meta({ description: "The `after` of the next page; null on the last one." })

/** The response of a change that has nothing else to report. */
export const Done = z.strictObject({ id: z.string().meta({ description: "What was changed." }) })
