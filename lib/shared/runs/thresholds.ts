import type { Share } from "@/questions/display"
import { CEILINGS } from "@/questions/limits"
import { automationOf, type PreparedAnswer, type QuestionTypeName } from "@/questions/question-types"

/**
 * Turns a probability of yes into an action: "no" below `low`, "yes" from `high` up, "review" in between. Null: this action never
 * happens, because models do answer 0 and 1. Probabilities of different models are not comparable, so a threshold belongs to one
 * pinned model.
 */
export interface Band extends Ends {
  model: string
}

interface Ends {
  low: number | null
  high: number | null
}

/** Turns the answer to a choice or a score into an action: "review" below this confidence, else "accept". */
interface Floor {
  confidence: number
  model: string
}

/** Turns the answer to a choice into an action: "review" when its option has less probability. */
interface ProbabilityFloor {
  probability: number
  model: string
}

/** The probability from which on an answer with this option is accepted. Null: never. */
export type OptionFloor = [option: string, from: number | null]

/** Turns the answer to a choice into an action, by its option. An option that is not listed is reviewed. */
interface OptionFloors {
  options: OptionFloor[]
  model: string
}

/** Turns the answer to a score into an action: "review" when the levels at most one away from it have less probability together. */
interface WithinFloor {
  within: number
  model: string
}

/** A threshold that accepts or leaves for review. */
export type Minimum = Floor | ProbabilityFloor | OptionFloors | WithinFloor
export type Threshold = Band | Minimum

/** By question name, the last changed at the end. A map, because a name may be `__proto__`. */
export type Thresholds = ReadonlyMap<string, Threshold>

const isProbability = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1

const isEnd = (end: unknown): boolean => end === null || isProbability(end)

function isEnds({ low, high }: { low?: unknown; high?: unknown }): boolean {
  const isInOrder = !isProbability(low) || !isProbability(high) || low <= high
  return isEnd(low) && isEnd(high) && isInOrder
}

const isOptionFloor = (value: unknown): value is OptionFloor =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === "string" &&
  value[0].length <= 2 * CEILINGS.optionName &&
  isEnd(value[1])

const isOptionFloors = (options: unknown): boolean =>
  Array.isArray(options) && options.length <= CEILINGS.options && options.every(isOptionFloor)

/** Each kind's members, besides the model, and whether they are valid. */
const KINDS: Record<ThresholdKind, { members: string[]; isValid(value: Record<string, unknown>): boolean }> = {
  band: { members: ["low", "high"], isValid: isEnds },
  floor: { members: ["confidence"], isValid: ({ confidence }) => isProbability(confidence) },
  probability: { members: ["probability"], isValid: ({ probability }) => isProbability(probability) },
  options: { members: ["options"], isValid: ({ options }) => isOptionFloors(options) },
  within: { members: ["within"], isValid: ({ within }) => isProbability(within) },
}

type ThresholdKind = "band" | "floor" | "probability" | "options" | "within"
const KIND_NAMES = Object.keys(KINDS) as ThresholdKind[]

/** Returns the kind whose members these are, all and no others. */
const kindOf = (threshold: object): ThresholdKind | undefined =>
  KIND_NAMES.find((kind) => {
    const members = [...KINDS[kind].members, "model"]
    return Object.keys(threshold).length === members.length && members.every((name) => Object.hasOwn(threshold, name))
  })

function isThreshold(value: unknown): value is Threshold {
  if (typeof value !== "object" || value === null) return false
  const threshold = value as Record<string, unknown>
  const kind = kindOf(threshold)
  if (!kind || !KINDS[kind].isValid(threshold)) return false
  return typeof threshold.model === "string" && /^[\w.:-]{1,200}$/.test(threshold.model)
}

export const isBand = (threshold: Threshold | undefined): threshold is Band =>
  threshold !== undefined && "low" in threshold
export const isMinimum = (threshold: Threshold | undefined): threshold is Minimum =>
  threshold !== undefined && !isBand(threshold)

/** Returns whether a threshold can decide about answers of a question type: a question's type may have changed. */
function fitsType(threshold: Threshold, type: QuestionTypeName): boolean {
  const automation = automationOf(type)
  if (isBand(threshold)) return automation?.kind === "band"
  if (automation?.kind !== "floor") return false
  if ("options" in threshold || "probability" in threshold) return automation.optionShare !== undefined
  return "confidence" in threshold || automation.withinShare !== undefined
}

/** What a threshold compares. */
export interface Compared {
  /** The name of the share. */
  label: string
  share: Share
  /** From here up, the answer is accepted. Null: never. */
  from: number | null
}

/** Returns how answers of this type are accepted; null without an answer, and for a type whose answers are not accepted. */
function acceptance(answer: PreparedAnswer) {
  const automation = answer.type === "missing" ? null : automationOf(answer.type)
  return answer.type !== "missing" && automation?.kind === "floor" ? { automation, chart: answer.chart } : null
}

const fromOf = ({ options }: OptionFloors, option: string): number | null =>
  options.find(([name]) => name === option)?.[1] ?? null

/** Returns what a threshold compares of an answer; null without an answer, and for a threshold of another type. */
export function comparedBy(answer: PreparedAnswer, threshold: Minimum): Compared | null {
  const { automation, chart } = acceptance(answer) ?? {}
  if (!automation) return null
  if ("confidence" in threshold)
    return { label: "Confidence", share: automation.measure(chart), from: threshold.confidence }
  if ("within" in threshold) {
    const share = automation.withinShare?.(chart)
    return share ? { label: "Probability within one level", share, from: threshold.within } : null
  }
  const chosen = automation.optionShare?.(chart)
  if (!chosen) return null
  const from = "probability" in threshold ? threshold.probability : fromOf(threshold, chosen.option)
  return { label: "Probability", share: chosen.share, from }
}

/** Returns the threshold with another number for answers like this one: of several options only that of the answer changes. */
export function withFrom(answer: PreparedAnswer, threshold: Minimum, from: number): Minimum {
  if ("confidence" in threshold) return { ...threshold, confidence: from }
  if ("within" in threshold) return { ...threshold, within: from }
  if ("probability" in threshold) return { ...threshold, probability: from }
  const { automation, chart } = acceptance(answer) ?? {}
  const option = automation?.optionShare?.(chart)?.option
  return { ...threshold, options: threshold.options.map(([name, each]) => [name, name === option ? from : each]) }
}

export type Action = "no" | "review" | "yes"

export const DEFAULT_BAND = { low: 0.3, high: 0.7 } as const
export const DEFAULT_FLOOR = { confidence: 0.5 } as const

export function actionOf(yes: number, { low, high }: Ends): Action {
  if (high !== null && yes >= high) return "yes"
  return low !== null && yes < low ? "no" : "review"
}

/** Describes a band with every digit of its thresholds: `no below 0.12, yes from 0.83, else review`. */
export const describeBand = ({ low, high }: Ends): string =>
  `${low === null ? "never no" : `no below ${low}`}, ${high === null ? "never yes" : `yes from ${high}`}, else review`

/** Shows at least two decimals, and more where a threshold has them. */
export const thresholdText = (value: number): string =>
  Math.round(value * 100) / 100 === value ? value.toFixed(2) : String(value)

/** Describes a threshold with every digit, without texts of the user. */
export function describeMinimum(threshold: Minimum): string {
  if ("confidence" in threshold) return `review below a confidence of ${threshold.confidence}`
  if ("within" in threshold)
    return `review below a probability of ${threshold.within} for the levels at most one from the score`
  if ("probability" in threshold) return `review below a probability of ${threshold.probability}`
  const set = threshold.options.filter(([, from]) => from !== null).length
  return `accept ${set} of ${threshold.options.length} options, each from its own probability up, else review`
}

export const acceptanceOf = (share: number, from: number | null): "accept" | "review" =>
  from !== null && share >= from ? "accept" : "review"

/** Entries are a list, because a question may be named `__proto__`. */
const isEntry = (value: unknown): value is [name: string, threshold: Threshold] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isThreshold(value[1])

const MAX_STORED = 300

/** Reads stored thresholds by question name. Empty when the value is of another version. */
export const readThresholds = (stored: unknown): Map<string, Threshold> =>
  new Map(Array.isArray(stored) && stored.length <= MAX_STORED && stored.every(isEntry) ? stored : [])

/** Returns the thresholds to store: the ones changed last. */
export const storableThresholds = (thresholds: Thresholds): [string, Threshold][] => [...thresholds].slice(-MAX_STORED)

/** Returns the thresholds that belong to questions of a request and fit their types. */
export const thresholdsOf = (
  questions: readonly { name: string; type: QuestionTypeName }[],
  thresholds: Thresholds,
): [string, Threshold][] =>
  questions.flatMap(({ name, type }) => {
    const threshold = thresholds.get(name)
    return threshold && fitsType(threshold, type) ? [[name, threshold] as [string, Threshold]] : []
  })
