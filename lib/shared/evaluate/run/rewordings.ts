import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { QuestionForm } from "@/questions/question-form"
import { type QuestionTypeName, rewordingsOf } from "@/questions/question-types"
import type { StabilityCheck } from "./evaluation-run"

const rewordingOf = (check: StabilityCheck, type: QuestionTypeName) =>
  check === "repeated" ? undefined : rewordingsOf(type)[check]

/** Returns the question in other words; null when the check changes nothing about it. */
function reworded(check: StabilityCheck, question: QuestionForm): QuestionForm | null {
  const changed = rewordingOf(check, question.type)?.write(question)
  return changed ? { ...question, ...changed } : null
}

/** Returns whether a check says something about a question. The same request again says something about each. */
export const appliesTo = (check: StabilityCheck, question: QuestionForm): boolean =>
  check === "repeated" || reworded(check, question) !== null

/** Returns the form as a check asks it. Questions that the check does not concern stay as they are. */
export const reword = (form: RequestForm, check: StabilityCheck): RequestForm => ({
  ...form,
  questions: form.questions.map((question) => reworded(check, question) ?? question),
})

/** Returns an answer of a check as an answer to the question itself. */
export function restoreAnswer(
  check: StabilityCheck,
  type: QuestionTypeName,
  probabilities: number[] | null,
): number[] | null {
  const restore = rewordingOf(check, type)?.restore
  return probabilities && restore ? restore(probabilities) : probabilities
}
