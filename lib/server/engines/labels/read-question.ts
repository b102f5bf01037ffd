import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import type { PromptPart } from "@/questions/label-form"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import { tooLong } from "../system-one/failures"
import { askInGroups } from "../system-one/group-options"
import type { ChatFrame } from "./chat-frame"
import { requireTwo, softmax } from "./engine-api"
import type { LabelDialect } from "./label-dialect"
import { BEFORE_STATE, type LabelTokens, labelPrompt, labelsOf } from "./prompt"
import type { RequestTokens, TextTokens } from "./text-tokens"

/** A model that a probe can read by its labels. */
export interface LabelModel {
  dialect: LabelDialect
  frame: ChatFrame
  tokens: LabelTokens
  texts: TextTokens
  contextTokens: number
}

/** One request that is being read. */
export interface Reading {
  model: LabelModel
  state: JsonText
  tokens: RequestTokens
  isBothOrders: boolean
  cacheSalt: string | null
  /** Makes a call as soon as there is a place for it. */
  run<T>(call: () => Promise<T>): Promise<T>
  signal: AbortSignal
}

const meanOf = (first: number[], second: number[]): number[] => first.map((log, i) => (log + (second[i] ?? 0)) / 2)

/**
 * Returns the prompt's tokens. The frame's head and the state come first and are the same for every question, so that the
 * engine's prefix cache reads them once.
 */
export function promptIds({ frame, texts }: LabelModel, parts: PromptPart[], idsOf: RequestTokens["idsOf"]): number[] {
  const pieces = parts.map((part) => ("own" in part ? texts.own(part.own) : idsOf(part.client)))
  return [...frame.head, ...pieces.flat(), ...frame.tail]
}

/** The cause of an `invalid_request`: a prompt of this many tokens leaves no room for the answer. */
export class LongPrompt extends Error {
  constructor(readonly tokens: number) {
    super(`a prompt of ${tokens} tokens`)
  }
}

/** Reads the log-weights of the question's meanings, in its order. */
async function readLogs(reading: Reading, question: CheckedQuestion, isReversed: boolean): Promise<number[]> {
  const { model, state, tokens, cacheSalt, signal } = reading
  const { parts, labels } = labelPrompt(question, model.tokens, isReversed)
  const prompt = promptIds(model, [{ own: BEFORE_STATE }, { client: state }, ...parts], tokens.idsOf)
  if (prompt.length >= model.contextTokens) throw tooLong(new LongPrompt(prompt.length))
  const logWeights: number[] = []
  // One after the other: the engine has the prompt in its cache after the first call.
  for (let at = 0; at < labels.length; at += model.dialect.labelsPerCall) {
    const ids = labels.slice(at, at + model.dialect.labelsPerCall).map(({ id }) => id)
    const read = await reading.run(() => model.dialect.read({ prompt, labels: ids, cacheSalt }, signal))
    if (read.promptTokens < prompt.length) throw tooLong()
    if (read.promptTokens > prompt.length) throw new ServiceError("upstream_error")
    logWeights.push(...read.logWeights)
  }
  requireTwo(logWeights)
  return logWeights
}

/** Returns the probability of each of a question's meanings. */
async function readMeanings(reading: Reading, question: CheckedQuestion): Promise<number[]> {
  const isTwice = reading.isBothOrders && typeOf(question).scale !== "ordinal"
  const reads = (isTwice ? [false, true] : [false]).map((isReversed) => readLogs(reading, question, isReversed))
  const [logWeights = [], reversed] = await Promise.all(reads)
  return softmax(reversed ? meanOf(logWeights, reversed) : logWeights)
}

/** Answers one question. More options than the tokenizer has labels are asked in groups. */
export async function readQuestion(reading: Reading, question: CheckedQuestion): Promise<RawAnswer> {
  const { options, toAnswer } = typeOf(question)
  const max = labelsOf(question, reading.model.tokens).length
  if (!options || options.count(question) <= max) return toAnswer(await readMeanings(reading, question))
  const all = Array.from({ length: options.count(question) }, (_, i) => i)
  const ask = async (indexes: number[]) =>
    indexes.length === 1 ? [1] : readMeanings(reading, options.pick(question, indexes))
  return toAnswer(await askInGroups(all, max, ask))
}
