import type { CheckedQuestion } from "@/questions/question-types"
import type { GgufHeader } from "./gguf-header"

/** How models of one decision type are asked and read. */
interface DecisionType {
  /** The texts that stand for the options of a question. Those that are one token each are used, in this order. */
  labels: readonly string[]
  /** Whether the templates get the labels. Others write them on their own. */
  givesLabels: boolean
  /** Whether the options of a choice are shown in both orders, and the answers averaged. */
  readsBothOrders: boolean
  /** Whether a noul is read from nine ratings, from certainly no to certainly yes. */
  ratesNoul: boolean
  /** Whether "true" is the first option of a noul. */
  isTrueFirst: boolean
  /** Whether the names in objects are sorted. */
  sortsNames: boolean
  /** Whether the prompt lists all questions of a call. */
  listsQuestions: boolean
  /** Names the group of numbers of options that share a temperature. */
  bucket(options: number): string
}

const CAPITALS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const SMALL = CAPITALS.map((letter) => letter.toLowerCase())
const CODES = [...CAPITALS, ...CAPITALS.flatMap((first) => CAPITALS.map((second) => first + second))]
const commonBucket = (n: number): string => (n <= 2 ? "2" : n <= 5 ? "3_5" : n <= 10 ? "6_10" : "11")

const BASE: DecisionType = {
  labels: CODES,
  givesLabels: true,
  readsBothOrders: false,
  ratesNoul: false,
  isTrueFirst: false,
  sortsNames: false,
  listsQuestions: false,
  bucket: commonBucket,
}

/** The decision types that are read by the probabilities of labels. */
const TYPES: Readonly<Record<string, DecisionType>> = {
  lev: {
    ...BASE,
    readsBothOrders: true,
    ratesNoul: true,
    sortsNames: true,
    bucket: (n) => (n <= 8 ? "small" : n <= 26 ? "mid" : "large"),
  },
  openjev: { ...BASE, labels: [...CAPITALS, ...SMALL], givesLabels: false, isTrueFirst: true },
  nimble: { ...BASE, listsQuestions: true },
}

/** The number of ratings from which some types read a noul. */
export const RATINGS = 9
export const MAX_LABELS = 255

/** What a file says about its decisions. */
export interface DecisionSettings extends DecisionType {
  name: string
  /** The jinja template of its prompts. */
  template: string
  /** Returns what the logits of a question's options are divided by. */
  temperature(type: CheckedQuestion["type"], options: number): number
}

/** What a GGUF file is: a decision model, or an ordinary chat model. */
export type ModelKind = { kind: "decisions"; settings: DecisionSettings } | { kind: "chat"; template: string }

/** Says why a file cannot be used, as a sentence for the operator. */
export class UnusableModel extends Error {}

const LLAMA_SERVER = "Run it with llama-server and set ENGINE_URL instead of ENGINE_GGUF."

function temperatureFrom(metadata: GgufHeader["metadata"], prefix: string, bucket: DecisionType["bucket"]) {
  return (type: string, options: number): number => {
    for (const name of [`${type}.${bucket(options)}`, type]) {
      const value = metadata.get(prefix + name)
      if (value === undefined) continue
      const temperature = Number(value)
      if (!(temperature > 0)) throw new UnusableModel(`The model's temperature ${name} is not above 0.`)
      return temperature
    }
    return 1
  }
}

/** Determines what a file is from its header. Throws `UnusableModel` for a type that is not read by labels. */
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
      `Decision models of type ${name} do not run in the service itself, only ${known} do. ${LLAMA_SERVER}`,
    )
  }
  const template = metadata.get("tokenizer.chat_template.systemone")
  if (typeof template !== "string")
    throw new UnusableModel("The decision model has no prompt template (tokenizer.chat_template.systemone).")
  const temperature = temperatureFrom(metadata, `${arch}.decision.temperature.`, type.bucket)
  return { kind: "decisions", settings: { ...type, name: String(name), template, temperature } }
}
