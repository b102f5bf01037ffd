import { hash } from "node:crypto"
import { SAMPLE } from "@/lib/server/engines/tokenizer/sample"
import { jsonString } from "@/lib/shared/json/text"
import { CEILINGS } from "@/questions/limits"
import type { CheckedQuestion } from "@/questions/question-types"
import type { Transport } from "../system-one/transport"
import { Unusable } from "../unusable"
import { type ChatFrame, findFrame } from "./chat-frame"
import { requireTwo, softmax } from "./engine-api"
import { findDialect } from "./find-dialect"
import type { FoundDialect, LabelCheck } from "./label-dialect"
import { proveLabels } from "./label-tokens"
import { BEFORE_STATE, type LabelTokens, labelPrompt, ownTexts } from "./prompt"
import { type LabelModel, promptIds } from "./read-question"
import { TextTokens } from "./text-tokens"

export interface LabelProbeRequest {
  transport: Transport
  /** The name under which the engine serves the model. Null when it serves only one. */
  model: string | null
  /** The maximum tokens of state, one question and the fixed prompt together. Null: what the engine accepts. */
  inputLimit: number | null
  /** What an earlier probe found, whose caches stay valid while the engine is the same. */
  known: { build: string; model: LabelModel } | null
  /** Reports what is known before a question is asked, for a probe that ends without an answer. */
  identified(build: string, model: LabelModel | null): void
  signal: AbortSignal
}

export interface LabelProbe {
  found: FoundDialect
  model: LabelModel
  /** The engine's build with a hash of the prompt's frame, the labels and the tokenizer. */
  build: string
}

const SMALL_STATE = jsonString("The customer writes: please send my money back.")
const SMALL_QUESTION: CheckedQuestion = {
  type: "noul",
  name: "test",
  instructions: jsonString("Does the customer ask for a refund?"),
  criteria: null,
}
const DIGEST_LETTERS = 12
const LEAST = 0.5
const THOUGHTS = /think|reason|<\|channel/i
const percent = (p: number): string => `${Math.round(p * 100)} %`

/** Throws `Unusable` unless the model answers a simple question with the right label. */
function checkAnswer({ logWeights, mass, written }: LabelCheck): void {
  if (mass < LEAST && THOUGHTS.test(written))
    throw new Unusable(
      "The model thinks before it answers: use a model whose thinking can be turned off, or its variant without thinking.",
    )
  if (mass < LEAST)
    throw new Unusable(
      `The model answers a simple question with a label only ${percent(mass)} of the time: use a model that is tuned to follow instructions.`,
    )
  const [yes = 0] = softmax(logWeights)
  if (yes < LEAST)
    throw new Unusable(
      `The model gives ${percent(yes)} to the right answer of a simple question: use a larger model that is tuned to follow instructions.`,
    )
}

/** Sends a test question and checks what the engine reports about it. */
export async function checkRead(model: LabelModel, signal: AbortSignal): Promise<void> {
  const { dialect, tokens } = model
  const { parts } = labelPrompt(SMALL_QUESTION, tokens, false)
  const request = { model: "", state: SMALL_STATE, questions: [SMALL_QUESTION] }
  const { idsOf } = await model.texts.ofRequest(request, signal)
  const prompt = promptIds(model, [{ own: BEFORE_STATE }, { client: SMALL_STATE }, ...parts], idsOf)
  const labels = tokens.letters.map(({ id }) => id)
  const unlikely = labels.at(-1) ?? 0
  checkAnswer(await dialect.check({ prompt, labels, cacheSalt: null }, unlikely, signal))
  const read = await dialect.read({ prompt, labels: labels.slice(0, 2), cacheSalt: null }, signal)
  requireTwo(read.logWeights)
  if (read.promptTokens !== prompt.length)
    throw new Unusable(
      `The engine read ${read.promptTokens} of a prompt's ${prompt.length} tokens: turn off truncation.`,
    )
}

/** Returns the most tokens that this service's own texts add to a question: its frame and a label for every option. */
function ownTokens(model: LabelModel): number {
  const options = Array.from({ length: Math.min(CEILINGS.options, model.tokens.letters.length) }, (_, i) => ({
    name: String(i),
    description: SMALL_STATE,
  }))
  const longest: CheckedQuestion = { type: "choice", name: "longest", instructions: null, options }
  const { parts } = labelPrompt(longest, model.tokens, false)
  return promptIds(model, [{ own: BEFORE_STATE }, ...parts], () => []).length
}

/** Throws when a request within the pinned limit may not fit into the context. */
function checkContext(model: LabelModel, inputLimit: number | null): void {
  if (inputLimit === null) return
  const needed = inputLimit + ownTokens(model) + 1
  if (model.contextTokens < needed)
    throw new Unusable(
      `The engine's context has ${model.contextTokens} tokens, but this model's limit needs ${needed}: start the engine with a longer context.`,
    )
}

/** Returns the engine's build with a hash of everything that the answers depend on and that this service reads. */
function buildOf({ build }: FoundDialect, frame: ChatFrame, tokens: LabelTokens, sample: number[]): string {
  const facts = JSON.stringify([frame.head, frame.tail, tokens.letters, tokens.levels, sample])
  return `${build} ${hash("sha256", facts, "hex").slice(0, DIGEST_LETTERS)}`
}

/** Determines whether and how a model can be read by its labels. Throws `Unusable` or what the transport throws. */
export async function probeLabels(request: LabelProbeRequest): Promise<LabelProbe> {
  const { known, inputLimit, signal } = request
  const found = await findDialect(request)
  const { dialect, contextTokens } = found
  const frame = await findFrame(dialect, signal)
  const tokens = await proveLabels(dialect, frame, signal)
  const build = buildOf(found, frame, tokens, await dialect.clientIds(SAMPLE, signal))
  request.identified(build, null)
  // The tokens that an earlier probe found stay valid, unless the engine or its context changed.
  const isKnown = known?.build === build && known.model.contextTokens === contextTokens
  const model = isKnown
    ? known.model
    : { dialect, frame, tokens, texts: await TextTokens.open(dialect, ownTexts(tokens), signal), contextTokens }
  checkContext(model, inputLimit)
  request.identified(build, model)
  await checkRead(model, signal)
  return { found, model, build }
}
