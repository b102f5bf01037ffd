import { afterEach } from "vitest"
import { LabelsEngine, type LabelsSettings } from "@/lib/server/engines/labels/labels-engine"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { toyBias, toyIds, toyMeaning } from "./doubles/toy-chat-model"
import { TYPE_SAMPLES } from "./type-samples"

interface Double {
  url: string
  stop(): Promise<void>
}

export const labelsEngine = (url: string, settings: Partial<LabelsSettings> = {}): LabelsEngine =>
  new LabelsEngine({
    url,
    model: null,
    promptTemplate: "labels-1",
    apiKey: null,
    inputLimit: null,
    cacheSalt: null,
    ...settings,
  })

/** Opens and probes labels engines on doubles, and closes both after each test. */
export function labelsOpener() {
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })
  return async <Of extends Double>(started: Promise<Of>, settings: Partial<LabelsSettings> = {}) => {
    const double = await started
    const engine = labelsEngine(double.url, settings)
    opened.push(async () => {
      await engine.close()
      await double.stop()
    })
    return { double, engine, found: await engine.probe(new AbortController().signal) }
  }
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
/** The labels of the toy tokenizer, in order: letters, then codes of one token. */
export const LABELS = [...LETTERS, ...LETTERS.flatMap((a) => LETTERS.map((b) => a + b))].filter(
  (name) => toyIds(name, true).length === 1,
)

/** Computes the exact softmax of the toy model's logits for these labels, from the question and not from a prompt. */
export function exactAnswer(
  state: string,
  question: CheckedQuestion,
  labels: string[],
  isBothOrders = false,
): number[] {
  const given = question.instructions?.isEmpty() === false ? question.instructions.text() : null
  const instructions = given ?? typeOf(question).defaultInstructions
  const meanings = TYPE_SAMPLES[question.type].labelTexts(question)
  const logits = meanings.map((meaning, i) => {
    const bias = toyBias(labels[i] ?? "")
    const other = toyBias(labels[meanings.length - 1 - i] ?? "")
    return toyMeaning(state, instructions, meaning) + (isBothOrders ? (bias + other) / 2 : bias)
  })
  const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0)
  return logits.map((logit) => Math.exp(logit) / sum)
}
