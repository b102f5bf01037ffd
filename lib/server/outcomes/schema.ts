import { z } from "zod"
import { RangeInput } from "@/lib/server/usage/schema"
import { QuestionName } from "@/lib/shared/outcomes/outcome-request"
import { TYPE_NAMES } from "@/questions/question-types"

/** A question that has outcomes, of one type and answered by one pinned model. */
export const OutcomeQuestion = z.object({
  question: QuestionName,
  type: z.enum(TYPE_NAMES),
  model: z.string().regex(/^[\x21-\x7e]{1,128}$/),
})
export type OutcomeQuestion = z.infer<typeof OutcomeQuestion>

const Threshold = z.number().min(0).max(1).nullable()
const Target = z.number().min(0.0001).max(0.5)

/**
 * The thresholds that a program uses, and the error rate that was accepted for each side. Only a yes/no question has a side of no, and
 * the sides never overlap.
 */
export const SetAlarmsInput = OutcomeQuestion.extend({
  rule: z.strictObject({ from: Threshold, below: Threshold, targetAbove: Target, targetBelow: Target }),
}).refine(({ type, rule: { from, below } }) => below === null || (type === "noul" && below <= (from ?? 1)))
export type SetAlarmsInput = z.output<typeof SetAlarmsInput>

export const ReadOutcomesInput = OutcomeQuestion.extend({ range: RangeInput })
export type ReadOutcomesInput = z.infer<typeof ReadOutcomesInput>
