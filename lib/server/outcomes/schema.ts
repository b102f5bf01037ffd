import { z } from "zod"
import { RangeInput } from "@/lib/server/usage/schema"
import { TYPE_NAMES } from "@/questions/question-types"

/** A question that has outcomes, of one type and answered by one pinned model. */
export const OutcomeQuestion = z.object({
  question: z.string().min(1).max(256),
  type: z.enum(TYPE_NAMES),
  model: z.string().min(1).max(128),
})
export type OutcomeQuestion = z.infer<typeof OutcomeQuestion>

export const ReadOutcomesInput = OutcomeQuestion.extend({ range: RangeInput })
export type ReadOutcomesInput = z.infer<typeof ReadOutcomesInput>
