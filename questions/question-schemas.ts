import { z } from "zod"
import { choiceSchema } from "./choice/schema"
import { noulSchema } from "./noul/schema"
import type { QuestionTypeName } from "./question-types"
import { scoreSchema } from "./score/schema"

/**
 * The OpenAPI schemas of each type. Separate from `question-types.ts`, so that serving a request loads no schema
 * library.
 */
const SCHEMAS = {
  noul: noulSchema,
  choice: choiceSchema,
  score: scoreSchema,
} satisfies Record<QuestionTypeName, { question: z.ZodObject; answer: z.ZodObject }>

type Schemas = (typeof SCHEMAS)[QuestionTypeName]
type NonEmpty<Item> = [Item, ...Item[]]

/** Maps each type to its component, for readers of the OpenAPI document that do not evaluate `type`. */
const discriminator = (part: "question" | "answer") => ({
  propertyName: "type",
  mapping: Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, schemas]) => [name, `#/components/schemas/${schemas[part].meta()?.id}`]),
  ),
})

export const Question = z
  .discriminatedUnion("type", Object.values(SCHEMAS).map(({ question }) => question) as NonEmpty<Schemas["question"]>)
  .meta({ id: "Question", discriminator: discriminator("question") })

export const Answer = z
  .discriminatedUnion("type", Object.values(SCHEMAS).map(({ answer }) => answer) as NonEmpty<Schemas["answer"]>)
  .meta({ id: "Answer", discriminator: discriminator("answer") })
