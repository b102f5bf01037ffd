import { z } from "zod"

export const usd = (description: string) =>
  z
    .string()
    .regex(/^-?[0-9]+\.[0-9]{12}$/)
    .meta({ description: `${description} USD, twelve decimals.` })
export const whole = (description: string) => z.int().min(0).meta({ description })
export const day = (description: string) => z.iso.date().meta({ description: `${description} A UTC day.` })
export const time = (description: string) => z.iso.datetime().meta({ description })
export const id = (prefix: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`))
    .meta({ description })

/** Returns the JSON Schema of an object, without the name of the dialect, which the document states once. */
export const schemaOf = (schema: z.ZodType) => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { target: "draft-2020-12" })
  return json
}
