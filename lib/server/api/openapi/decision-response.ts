import { z } from "zod"
import { CEILINGS } from "@/questions/limits"
import { LevelLabel, QUESTION_NAME } from "./decision-request"

const Probability = z.number().min(0).max(1)
const confidence = Probability.meta({
  description: "0 is an even split, 1 is all on one answer; it follows from the probabilities alone.",
})

const NoulAnswer = z
  .strictObject({
    type: z.literal("noul"),
    noul: Probability.meta({ description: "The probability that the answer is yes." }),
  })
  .meta({ id: "NoulAnswer" })

const ChoiceAnswer = z
  .strictObject({
    type: z.literal("choice"),
    choice: z.string().meta({ description: "The name of the most likely option." }),
    confidence,
    probabilities: z.record(z.string().min(1).max(CEILINGS.optionName), Probability).meta({
      description: "One entry for each option.",
      minProperties: 1,
      maxProperties: CEILINGS.options,
    }),
  })
  .meta({ id: "ChoiceAnswer" })

const byLevel = <Value extends z.ZodType>(value: Value, description: string) =>
  z.record(z.string().regex(/^[0-9]$/), value).meta({ description, minProperties: 1, maxProperties: CEILINGS.levels })

const ScoreAnswer = z
  .strictObject({
    type: z.literal("score"),
    score: z
      .number()
      .min(0)
      .max(CEILINGS.levels - 1)
      .meta({ description: "The average of the level indexes, weighted by their probabilities." }),
    confidence,
    legend: byLevel(LevelLabel, "The labels as they were sent, by level index."),
    probabilities: byLevel(Probability, "One entry for each level, by level index."),
  })
  .meta({ id: "ScoreAnswer" })

const Answer = z.discriminatedUnion("type", [NoulAnswer, ChoiceAnswer, ScoreAnswer]).meta({
  id: "Answer",
  discriminator: {
    propertyName: "type",
    mapping: {
      noul: "#/components/schemas/NoulAnswer",
      choice: "#/components/schemas/ChoiceAnswer",
      score: "#/components/schemas/ScoreAnswer",
    },
  },
})

const Usage = z
  .strictObject({
    input_tokens: z
      .int()
      .min(0)
      .meta({ description: "What is billed: the state once, and the content of all `instructions` and `criteria`." }),
    output_tokens: z.int().min(0).meta({ description: "For information; not billed." }),
  })
  .meta({ id: "Usage" })

/** The body of a 200 of `POST /v1/decisions`. */
export const DecisionResponse = z
  .strictObject({
    model: z.string().meta({ description: "The pinned id that answered, also when the request named the alias." }),
    answers: z.record(z.string().regex(new RegExp(QUESTION_NAME)), Answer).meta({
      description: "One answer for each question, by its name, in request order.",
      minProperties: 1,
      maxProperties: CEILINGS.questions,
    }),
    usage: Usage,
  })
  .meta({ id: "DecisionResponse" })
export type DecisionResponse = z.infer<typeof DecisionResponse>
