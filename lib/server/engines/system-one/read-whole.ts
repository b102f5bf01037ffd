import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, questionTexts } from "@/questions/question-types"
import type { BilledText, TokenCount } from "../token-count"
import type { TokenCounter } from "../tokenizer/token-counter"
import { neutralName, neutralText } from "./neutral-texts"
import { linesOf } from "./object-states"
import type { Writing } from "./request-body"

/** Adjacent texts may share a token, so an engine may read slightly fewer tokens than the sum of their counts. */
const SHARED_TOKENS = 2

/**
 * Returns the minimum tokens that an engine reports after it read all of `asked`, from the billed counts. A question
 * asked in groups adds none.
 */
export function leastBilled(request: CheckedRequest, count: TokenCount, asked: CheckedQuestion[]): number {
  let least = count.state - SHARED_TOKENS
  for (const question of asked) {
    const i = request.questions.findIndex(({ name }) => name === question.name)
    const texts = questionTexts(question).length
    const whole = request.questions[i]
    if (whole && questionTexts(whole).length === texts) least += (count.questions[i] ?? 0) - SHARED_TOKENS * texts
  }
  return least
}

/**
 * Returns the same minimum for the texts as the engine reads them: special tokens parsed, and objects as lines. It is
 * lower than `leastBilled` and takes a count of its own.
 */
export async function leastRead(
  counter: TokenCounter,
  state: JsonText,
  asked: CheckedQuestion[],
  { isStrict, isNeutral, isObject = false }: Writing,
  signal: AbortSignal,
): Promise<number> {
  const read = (text: BilledText, isRendered: boolean): BilledText => {
    if (typeof text === "string") return isNeutral ? neutralName(text) : text
    const sent = isNeutral ? neutralText(text) : text
    return isRendered && text.kind !== "string" ? linesOf(sent) : sent
  }
  const texts = asked.flatMap(questionTexts).map((text) => read(text, !isStrict))
  const all = [read(state, isObject), ...texts]
  return (await counter.countRead(all, signal)) - SHARED_TOKENS * all.length
}
