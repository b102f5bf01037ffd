import { QUESTION_TYPES, type QuestionTypeName, TYPE_NAMES } from "./question-types"
import * as parts from "./schema-parts"

const { z } = parts

type Schemas = ReturnType<(typeof QUESTION_TYPES)[QuestionTypeName]["schema"]>
type Part = keyof Schemas
type NonEmpty<Item> = [Item, ...Item[]]

/** In the order of components in the document, which is that of creation. */
const SCHEMAS = new Map<string, Schemas>(
  TYPE_NAMES.toSorted().map((name) => [name, QUESTION_TYPES[name].schema(parts)]),
)

const schemasOf = <Name extends Part>(part: Name) =>
  TYPE_NAMES.flatMap((name) => SCHEMAS.get(name)?.[part] ?? []) as NonEmpty<Schemas[Name]>

/** Maps each type to its component, for readers of the OpenAPI document that do not evaluate `type`. */
const discriminator = (part: Part) => ({
  propertyName: "type",
  mapping: Object.fromEntries(
    TYPE_NAMES.map((name) => [name, `#/components/schemas/${SCHEMAS.get(name)?.[part].meta()?.id}`]),
  ),
})

export const Question = z
  .discriminatedUnion("type", schemasOf("question"))
  .meta({ id: "Question", discriminator: discriminator("question") })

export const Answer = z
  .discriminatedUnion("type", schemasOf("answer"))
  .meta({ id: "Answer", discriminator: discriminator("answer") })
