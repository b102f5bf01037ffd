import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { questionTexts } from "@/questions/question-types"

/** The billable tokens of a request, exact: the state's once, and what each question adds, in request order. */
export interface TokenCount {
  state: number
  questions: number[]
}

/** What is billed: spec.md's `usage.input_tokens`. */
export const totalTokens = ({ state, questions }: TokenCount): number =>
  questions.reduce((sum, own) => sum + own, state)

/** A request's count from the count of each billed text. A text is counted alone, so the sum never depends on its neighbours. */
export const countEach = (request: CheckedRequest, tokensOf: (text: JsonText | string) => number): TokenCount => ({
  state: tokensOf(request.state),
  questions: request.questions.map((question) =>
    questionTexts(question).reduce((sum, text) => sum + tokensOf(text), 0),
  ),
})
