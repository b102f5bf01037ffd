import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, questionTexts } from "@/questions/question-types"
import type { BilledText, TokenCount } from "../token-count"
import { neutralText } from "./neutral-texts"
import { linesOf } from "./object-states"
import { type SentText, sentText, type Writing } from "./request-body"

/** Adjacent texts may share a token, so an engine may read slightly fewer tokens than the sum of their counts. */
const SHARED_TOKENS = 2

/** What an engine was asked: all or some of a request's questions, as `writing` sent them. */
interface Sent {
  request: CheckedRequest
  asked: CheckedQuestion[]
  writing: Writing
}

interface Counts {
  billed(): TokenCount | Promise<TokenCount>
  /** Returns how many tokens an engine that parses special tokens reads of each text. */
  read(texts: BilledText[]): Promise<number[]>
}

/** Returns whether an engine that reports `inputTokens` read all that it was sent. */
export async function isReadWhole(sent: Sent, inputTokens: number, counts: Counts): Promise<boolean> {
  if (inputTokens >= leastBilled(sent, await counts.billed())) return true
  return inputTokens >= (await leastRead(sent, counts))
}

/**
 * Returns the minimum tokens that an engine reports after it read all of `asked`, from the billed counts. A question
 * asked in groups adds none.
 */
function leastBilled({ request, asked }: Sent, count: TokenCount): number {
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
 * JSON, whichever has fewer tokens. Texts that are sent as missing do not count. It is lower than `leastBilled` and takes
 * counts of its own.
 */
async function leastRead({ request, asked, writing }: Sent, counts: Counts): Promise<number> {
  const asSent: BilledText[] = []
  const rendered: JsonText[] = []
  const add = ({ text, isQuoted }: SentText) => {
    if (isQuoted || text.kind === "string") asSent.push(text)
    else rendered.push(text)
  }
  add({ text: neutralText(request.state, writing.marks), isQuoted: !writing.isObject })
  for (const text of asked.flatMap(questionTexts)) {
    const sent = typeof text === "string" ? text : sentText(text, writing)
    if (typeof sent === "string") asSent.push(sent)
    else if (sent) add(sent)
  }
  // An engine writes escaped characters as themselves, and lists of short items take fewer tokens as JSON.
  const renderings = rendered.flatMap((text) => [linesOf(text), JSON.stringify(JSON.parse(text.json()))])
  const read = await counts.read([...asSent, ...renderings])
  let least = -SHARED_TOKENS * (asSent.length + rendered.length)
  for (let i = 0; i < asSent.length; i++) least += read[i] ?? 0
  for (let i = asSent.length; i < read.length; i += 2) least += Math.min(read[i] ?? 0, read[i + 1] ?? 0)
  return least
}
