import { z } from "zod"
import { MAX_STATES } from "@/lib/server/dialects/system-one/read-batch"
import { CEILINGS } from "@/questions/limits"
import { Answer, Question } from "@/questions/question-schemas"
import { DecisionResponse } from "./decision-response"

// The schemas of `POST /v1/systemone` are in the document by their ids.

const Model = z
  .string()
  .min(1)
  .meta({ description: "A pinned id, the alias, or a name from `models` of `GET /v1/models`." })
const State = z.union([z.string(), z.looseObject({}), z.array(z.unknown())])
/** The name of a question, which has no control characters. Every language's regular expressions know `\x`. */
const Name = z.string().min(1).max(256).meta({ pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" })
const Questions = z.record(Name, Question).meta({
  description: `1 to ${CEILINGS.questions} questions by name, also for models that list fewer. A name has no control characters. \`criteria: null\` is the same as none.`,
  minProperties: 1,
  maxProperties: CEILINGS.questions,
})

// The body. Only the document uses it.
z.looseObject({
  model: Model,
  state: State.meta({ description: "What the questions are about. It may be empty. Images are refused." }),
  questions: Questions,
}).meta({
  id: "SystemOneRequest",
  description: "Unknown fields are ignored. `assets` and `box` questions are refused.",
})

// The body of a batch.
z.looseObject({
  model: Model,
  states: z
    .array(State)
    .min(1)
    .max(MAX_STATES)
    .meta({ description: "What the questions are about: each state is one request." }),
  questions: Questions,
}).meta({
  id: "SystemOneBatchRequest",
  description: "Unknown fields are ignored. `assets` and `box` questions are refused.",
})

// The body of a 200.
export const SystemOneResponse = z
  .strictObject({
    ...DecisionResponse.shape,
    answers: z.record(Name, Answer).meta({
      description: "One answer for each question, by its name, in request order.",
      minProperties: 1,
      maxProperties: CEILINGS.questions,
    }),
  })
  .meta({ id: "SystemOneResponse" })

const OfField = z.array(
  z.strictObject({
    type: z.string().meta({ description: "The `code` again." }),
    loc: z.array(z.union([z.string(), z.int()])).meta({
      description: "The names and indexes that lead to the field, which begin with `body`.",
    }),
    msg: z.string(),
  }),
)

// The body of every error.
const SystemOneError = z
  .strictObject({
    error: z.looseObject({ message: z.string(), type: z.string(), code: z.string() }).meta({
      description: "The error object of `POST /v1/decisions`.",
    }),
    detail: z.union([z.strictObject({ error_type: z.string(), message: z.string() }), OfField]).meta({
      description: "The same for clients of System One: a list for `invalid_request` with a `param`.",
    }),
  })
  .meta({ id: "SystemOneError" })

// The body of a batch's 200.
z.strictObject({
  results: z
    .array(z.union([SystemOneResponse, SystemOneError]))
    .min(1)
    .max(MAX_STATES)
    .meta({ description: "For each state, in order: its answer, or the error that it would get as a single request." }),
}).meta({ id: "SystemOneBatchResponse" })
