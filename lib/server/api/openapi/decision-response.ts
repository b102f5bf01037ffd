import { z } from "zod"
import { CEILINGS, QUESTION_NAME } from "@/questions/limits"
import { Answer } from "@/questions/question-schemas"

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
