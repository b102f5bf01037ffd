import { prepareAnswers } from "@/lib/shared/decisions/answers"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { PreparedAnswer } from "@/questions/question-types"
import { checkForm } from "./check-form"
import { type Example, exampleForm } from "./examples"
import bodies from "./recorded-answers.json"

/** A model's answers to the examples, as the API returned them. */
export interface RecordedAnswers {
  model: string
  /** The UTC day of the recording: "2026-11-28". */
  day: string
  /** The body of each 200, by the id of the example. */
  bodies: Readonly<Record<string, unknown>>
}

/** The answers of the built-in keyword scorer. A test compares them with the engine. */
export const BUILT_IN_ANSWERS: RecordedAnswers = { model: "svc-lexical-baseline-1", day: "2026-11-28", bodies }

export interface RecordedExample {
  requestText: string
  request: CheckedRequest
  answers: PreparedAnswer[]
}

/** Returns an example's request for `model`, and its recorded answers for display; null when none were recorded. */
export function recordedExample(model: string, example: Example, recorded: RecordedAnswers): RecordedExample | null {
  const checked = checkForm(exampleForm(model, example))
  const body = recorded.bodies[example.id]
  if (!checked.ok || body === undefined) return null
  const { requestText, request } = checked
  return { requestText, request, answers: prepareAnswers(request, body) }
}
