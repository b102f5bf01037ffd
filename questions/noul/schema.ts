import type { SchemaParts } from "../schema-parts"

export function noulSchema({ z, OptionalDescription, Probability }: SchemaParts) {
  const question = z
    .strictObject({
      type: z.literal("noul"),
      instructions: OptionalDescription,
      criteria: z
        .strictObject({ true: OptionalDescription, false: OptionalDescription })
        .optional()
        .meta({ description: "What yes (`true`) and no (`false`) mean." }),
    })
    .meta({
      id: "NoulQuestion",
      description: "Yes or no. Requires `criteria`, or `instructions` that are not null.",
      // Generators of clients read each `anyOf` as types of its own. This says the same without one.
      not: { properties: { criteria: { not: {} }, instructions: { type: "null" } } },
    })

  const answer = z
    .strictObject({
      type: z.literal("noul"),
      noul: Probability.meta({ description: "The probability that the answer is yes." }),
    })
    .meta({ id: "NoulAnswer" })

  return { question, answer }
}
