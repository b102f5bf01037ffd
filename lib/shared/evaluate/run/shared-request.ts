import { membersOf, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { checkForm } from "@/lib/shared/request-form/check-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { CheckedQuestion } from "@/questions/question-types"

/** Everything but the state, equal for all rows of a run. */
export interface SharedRequest {
  pinnedId: string
  /** Public id of the key. Empty: the account's Playground key. */
  keyId: string
  /** USD per million tokens. Null for a model without a price. */
  pricePerMillionUsd: string | null
  questions: CheckedQuestion[]
  /** JSON source of the request's `questions`. */
  questionsJson: string
}

/** Returns everything but the state of a run's requests; null when its questions are invalid. */
export function sharedRequestOf(
  form: RequestForm,
  pinnedId: string,
  pricePerMillionUsd: string | null,
): SharedRequest | null {
  const checked = checkForm({ ...form, model: pinnedId, modelSpelled: undefined, state: asText("s") })
  if (!checked.ok) return null
  const { requestText, request } = checked
  const questions = membersOf(requestText, rootOf(requestText))?.find(({ name }) => name === "questions")
  if (!questions) return null
  const questionsJson = sourceOf(requestText, questions.value)
  return { pinnedId, keyId: form.keyId, pricePerMillionUsd, questions: request.questions, questionsJson }
}

export const requestTextOf = ({ pinnedId, questionsJson }: SharedRequest, state: string): string =>
  `{"model":${JSON.stringify(pinnedId)},"state":${state},"questions":${questionsJson}}`

/** Returns the maximum number of tokens that a row can be billed: one for each byte of its texts and one for each text. */
export function maxTokens({ questionsJson }: SharedRequest, state: string): number {
  const bytes = (text: string) => new TextEncoder().encode(text).length
  // The quotes around each text in the JSON of the questions count for the text's own token.
  return bytes(state) + 1 + bytes(questionsJson)
}
