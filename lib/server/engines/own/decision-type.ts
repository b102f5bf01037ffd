import type { DecisionTraits } from "@/questions/decision-form"
import type { CheckedQuestion } from "@/questions/question-types"
import type { GgufHeader } from "./gguf-header"

/** How prompts for models of one decision type are built, and how their answers are read. */
interface DecisionType extends DecisionTraits {
  /** The texts that stand for the options of a question. Those that are one token each are used, in this order. */
  labels: readonly string[]
  /** Whether the model's template receives the labels. If false, the template contains them. */
  givesLabels: boolean
  /** Whether options without an order are shown in both orders, and the answers averaged. */
  readsBothOrders: boolean
  /** Whether the member names of the JSON objects in a prompt are sorted. */
  sortsNames: boolean
  /** Whether the prompt lists all questions of a call. */
  listsQuestions: boolean
  /** Returns the name of the temperature that questions with this number of options use. */
  temperatureBucket(options: number): string
}

const CAPITALS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const SMALL = CAPITALS.map((letter) => letter.toLowerCase())
const CODES = [...CAPITALS, ...CAPITALS.flatMap((first) => CAPITALS.map((second) => first + second))]
const commonBucket = (n: number): string => (n <= 2 ? "2" : n <= 5 ? "3_5" : n <= 10 ? "6_10" : "11")

export const RATINGS = 9

const BASE: DecisionType = {
  labels: CODES,
  givesLabels: true,
  readsBothOrders: false,
  ratings: null,
  isTrueFirst: false,
  sortsNames: false,
  listsQuestions: false,
  temperatureBucket: commonBucket,
}

/** The decision types that are read by the probabilities of labels. */
const TYPES: Readonly<Record<string, DecisionType>> = {
  lev: {
    ...BASE,
    readsBothOrders: true,
    ratings: RATINGS,
    sortsNames: true,
    temperatureBucket: (n) => (n <= 8 ? "small" : n <= 26 ? "mid" : "large"),
  },
  openjev: { ...BASE, labels: [...CAPITALS, ...SMALL], givesLabels: false, isTrueFirst: true },
  nimble: { ...BASE, listsQuestions: true },
}

export const MAX_LABELS = 255

/** The decision settings in the header of a model file. */
export interface DecisionSettings extends DecisionType {
  name: string
  /** The Jinja template of the model's prompts. */
  template: string
  /** Returns the divisor of the option logits, 1 by default. Throws `UnusableModel` when it is not above 0. */
  temperature(type: CheckedQuestion["type"], options: number): number
}

/** The kind of model in a GGUF file: a decision model or an ordinary chat model. */
export type ModelKind = { kind: "decisions"; settings: DecisionSettings } | { kind: "chat"; template: string }

/** Thrown for a model file that cannot be used. The message is a sentence for the operator. */
export class UnusableModel extends Error {}

const LLAMA_SERVER = "Run it with llama-server and set ENGINE_URL instead of ENGINE_GGUF."

function temperatureFrom(
  metadata: GgufHeader["metadata"],
  prefix: string,
  bucketOf: DecisionType["temperatureBucket"],
) {
  return (type: string, options: number): number => {
    for (const name of [`${type}.${bucketOf(options)}`, type]) {
      const value = metadata.get(prefix + name)
      if (value === undefined) continue
      const temperature = Number(value)
      if (!(temperature > 0)) throw new UnusableModel(`The model's temperature ${name} is not above 0.`)
      return temperature
    }
    return 1
  }
}

/**
 * Returns the kind of model that a header describes. Throws `UnusableModel` for a split file, a missing template or an
 * unsupported decision type.
 */
export function modelKindOf({ metadata }: GgufHeader): ModelKind {
  const arch = String(metadata.get("general.architecture"))
  if (Number(metadata.get("split.count") ?? 0) > 1)
    throw new UnusableModel("The model is split into several files. Join them with llama-gguf-split --merge.")
  const name = metadata.get(`${arch}.decision.type`)
  if (name === undefined) {
    const template = metadata.get("tokenizer.chat_template")
    if (typeof template === "string") return { kind: "chat", template }
    throw new UnusableModel("The file has neither a decision type nor a chat template, so it cannot answer questions.")
  }
  const type = TYPES[String(name)]
  if (!type) {
    const known = Object.keys(TYPES).join(", ")
    throw new UnusableModel(
      `The service cannot run decision models of type ${name} itself. It supports ${known}. ${LLAMA_SERVER}`,
    )
  }
  const template = metadata.get("tokenizer.chat_template.systemone")
  if (typeof template !== "string")
    throw new UnusableModel("The decision model has no prompt template (tokenizer.chat_template.systemone).")
  const temperature = temperatureFrom(metadata, `${arch}.decision.temperature.`, type.temperatureBucket)
  return { kind: "decisions", settings: { ...type, name: String(name), template, temperature } }
}
