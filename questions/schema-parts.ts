import { z } from "zod"

export { z }

/** What the schema of a question type is made of. Types receive it, so that serving a request loads no schema library. */
export type SchemaParts = typeof import("./schema-parts")

const described = "Text, or a structured object or array. Numbers and key order are read as they are written."
const structured = () => [z.string(), z.looseObject({}), z.array(z.unknown())] as const

const Description = z
  .union([...structured(), z.null()])
  .meta({ id: "Description", description: `What a question, an option or an answer means. ${described}` })

/** The label of a level: `legend` returns it unchanged. */
export const LevelLabel = z
  .union(structured())
  .meta({ id: "LevelLabel", description: `The label of one level. ${described}` })

export const State = z
  .union([z.string().min(1), z.looseObject({}).meta({ minProperties: 1 }), z.array(z.unknown()).meta({ minItems: 1 })])
  .meta({ id: "State", description: `What the questions are about. ${described} It may not be empty.` })

export const OptionalDescription = Description.optional()
export const RequiredDescription = Description

export const Probability = z.number().min(0).max(1)
export const Confidence = Probability.meta({
  description: "0 is an even split, 1 is all on one answer; it follows from the probabilities alone.",
})
