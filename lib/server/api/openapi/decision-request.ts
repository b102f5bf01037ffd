import { z } from "zod"
import { CEILINGS, QUESTION_NAME } from "@/questions/limits"
import { Question } from "@/questions/question-schemas"
import { State } from "@/questions/schema-parts"

/** The body of `POST /v1/decisions`, for the document only. `checkRequest` validates requests; a test compares the two. */
export const DecisionRequest = z
  .strictObject({
    model: z.string().min(1).meta({ description: "A pinned id or the alias, from `GET /v1/models`." }),
    state: State,
    questions: z.record(z.string().regex(new RegExp(QUESTION_NAME)), Question).meta({
      description: `1 to ${CEILINGS.questions} questions by name; a model may set a lower ceiling.`,
      minProperties: 1,
      maxProperties: CEILINGS.questions,
    }),
  })
  .meta({
    id: "DecisionRequest",
    description:
      "Unknown fields and duplicate keys, anywhere in the body, are refused. At most 512 levels of nesting, no half surrogate pairs.",
  })
