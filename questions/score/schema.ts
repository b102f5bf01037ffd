import type { z as Zod } from "zod"
import { CEILINGS } from "../limits"
import type { SchemaParts } from "../schema-parts"

export function scoreSchema({ z, Confidence, LevelLabel, OptionalDescription, Probability }: SchemaParts) {
  const question = z
    .strictObject({
      type: z.literal("score"),
      instructions: OptionalDescription,
      criteria: z.array(LevelLabel).min(1).max(CEILINGS.levels).meta({
        description: "The levels, lowest first; at least 2 are advised. A level's index is its 0-based position.",
      }),
    })
    .meta({ id: "ScoreQuestion", description: "A level on an ordinal scale." })

  const byLevel = <Value extends Zod.ZodType>(value: Value, description: string) =>
    z.record(z.string().regex(/^[0-9]$/), value).meta({ description, minProperties: 1, maxProperties: CEILINGS.levels })

  const answer = z
    .strictObject({
      type: z.literal("score"),
      score: z
        .number()
        .min(0)
        .max(CEILINGS.levels - 1)
        .meta({ description: "The average of the level indexes, weighted by their probabilities." }),
      confidence: Confidence,
      legend: byLevel(LevelLabel, "The labels as they were sent, by level index."),
      probabilities: byLevel(Probability, "One entry for each level, by level index."),
    })
    .meta({ id: "ScoreAnswer" })

  return { question, answer }
}
