import { z } from "zod"
import { CEILINGS } from "@/questions/limits"

/** How many outcomes one request may report. */
export const MAX_OUTCOMES = 1_000
/** Names on the routes of System One are longer than those of the contract. */
const MAX_NAME = 256
const CONTROL = /[\p{Cc}]/u

/** Zod's own message would repeat the name of an unknown field. */
const closed = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? `Only these fields are accepted: ${Object.keys(shape).join(", ")}.` : undefined,
  })

const Probability = z.number().min(0).max(1)
/** The name of a question. It is the only text that is kept of a request. */
export const QuestionName = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .refine((name) => name.isWellFormed() && !CONTROL.test(name), "A name has no control characters.")
const BASE = {
  request_id: z.string().meta({ description: "The `x-request-id` of a charged response, `req_…`." }),
  question: QuestionName.meta({ description: "The name of the question in that request." }),
  at: z.iso
    .datetime({ offset: true })
    .meta({ description: "When the outcome became known; now unless given." })
    .optional(),
}

/** One outcome. The model and everything else that is known of the request is taken from its charge. */
export const OutcomeItem = z
  .discriminatedUnion("type", [
    closed({
      ...BASE,
      type: z.literal("noul"),
      predicted: Probability.meta({ description: "The answer's `noul`." }),
      outcome: z.boolean().meta({ description: "Whether it was a yes." }),
    }).meta({ id: "NoulOutcome" }),
    closed({
      ...BASE,
      type: z.literal("choice"),
      predicted: Probability.meta({ description: "The answer's probability of its `choice`." }),
      outcome: z.boolean().meta({ description: "Whether that choice was right." }),
    }).meta({ id: "ChoiceOutcome" }),
    closed({
      ...BASE,
      type: z.literal("score"),
      predicted: closed({
        score: z
          .number()
          .min(0)
          .max(CEILINGS.levels - 1)
          .meta({ description: "The answer's `score`." }),
        within_one: Probability.meta({
          description: "The sum of the probabilities of the levels at most one away from the rounded score.",
        }),
      }).meta({ id: "PredictedScore" }),
      outcome: z
        .int()
        .min(0)
        .max(CEILINGS.levels - 1)
        .meta({ description: "The index of the right level." }),
    }).meta({ id: "ScoreOutcome" }),
  ])
  .meta({
    id: "Outcome",
    description: "What really happened, for one question of one request. It has no text but the question's name.",
  })
export type OutcomeItem = z.output<typeof OutcomeItem>

/** The body of `POST /v1/outcomes`: numbers and names of questions, and nothing else. */
export const OutcomeRequest = closed({
  outcomes: z
    .array(OutcomeItem)
    .min(1)
    .max(MAX_OUTCOMES)
    .meta({ description: "What really happened, for one question each." }),
  sampled_share: z
    .number()
    .gt(0)
    .max(1)
    .meta({ description: "The share of such answers whose outcomes you find out, such as 0.05 for one in twenty." })
    .optional(),
}).meta({ id: "OutcomeRequest" })
export type OutcomeRequest = z.output<typeof OutcomeRequest>

/** Turns the keeping of outcomes on or off. */
export const KeepOutcomesInput = z.strictObject({ isOn: z.boolean() })
export type KeepOutcomesInput = z.output<typeof KeepOutcomesInput>
