import { CEILINGS } from "../limits"
import type { SchemaParts } from "../schema-parts"

export function choiceSchema({ z, Confidence, OptionalDescription, Probability, RequiredDescription }: SchemaParts) {
  const optionName = () => z.string().min(1).max(CEILINGS.optionName)

  const question = z
    .strictObject({
      type: z.literal("choice"),
      instructions: OptionalDescription,
      criteria: z.record(optionName(), RequiredDescription).meta({
        description: `The options: names of 1 to ${CEILINGS.optionName} characters, unique in the question, each with a description.`,
        minProperties: 1,
        maxProperties: CEILINGS.options,
      }),
    })
    .meta({ id: "ChoiceQuestion", description: "One of several options." })

  const answer = z
    .strictObject({
      type: z.literal("choice"),
      choice: z.string().meta({ description: "The name of the most likely option." }),
      confidence: Confidence,
      probabilities: z.record(optionName(), Probability).meta({
        description: "One entry for each option.",
        minProperties: 1,
        maxProperties: CEILINGS.options,
      }),
    })
    .meta({ id: "ChoiceAnswer" })

  return { question, answer }
}
