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
 * Returns the same minimum for the texts as the engine reads them: special tokens parsed, and objects as lines or as JSON,
 * whichever has fewer tokens. It is lower than `leastBilled` and takes counts of its own.
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
  const count = (text: BilledText) => counter.countRead([text], signal)
  const counts = await Promise.all([
    counter.countRead(asSent, signal),
    // An engine writes escaped characters as themselves, and lists of short items take fewer tokens as JSON.
    ...rendered.map(async (text) =>
      Math.min(await count(linesOf(text)), await count(JSON.stringify(JSON.parse(text.json())))),
    ),
  ])
  return counts.reduce((sum, tokens) => sum + tokens, 0) - SHARED_TOKENS * (asSent.length + rendered.length)
}
