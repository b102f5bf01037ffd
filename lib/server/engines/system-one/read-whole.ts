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
 * Returns the same minimum for the texts as the engine reads them. Special tokens are parsed. Objects count as lines or as
 * JSON, whichever has fewer tokens. It is lower than `leastBilled` and takes counts of its own.
 */
export async function leastRead(
  counter: TokenCounter,
  state: JsonText,
  asked: CheckedQuestion[],
  { isStrict, isNeutral, isObject = false }: Writing,
  signal: AbortSignal,
): Promise<number> {
  const asSent: BilledText[] = []
  const rendered: JsonText[] = []
  const add = (text: BilledText, isRendered: boolean) => {
    if (typeof text === "string") return void asSent.push(isNeutral ? neutralName(text) : text)
    const sent = isNeutral ? neutralText(text) : text
    if (isRendered && text.kind !== "string") rendered.push(sent)
    else asSent.push(sent)
  }
  add(state, isObject)
  for (const text of asked.flatMap(questionTexts)) add(text, !isStrict)
  // An engine writes escaped characters as themselves, and lists of short items take fewer tokens as JSON.
  const renderings = rendered.flatMap((text) => [linesOf(text), JSON.stringify(JSON.parse(text.json()))])
  const counts = await counter.countRead([...asSent, ...renderings], signal)
  let least = -SHARED_TOKENS * (asSent.length + rendered.length)
  for (let i = 0; i < asSent.length; i++) least += counts[i] ?? 0
  for (let i = asSent.length; i < counts.length; i += 2) least += Math.min(counts[i] ?? 0, counts[i + 1] ?? 0)
  return least
}
