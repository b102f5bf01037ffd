import { automationOf, type QuestionTypeName } from "@/questions/question-types"

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
export interface Floor {
  confidence: number
  model: string
}

export type Threshold = Band | Floor

/** By question name, the last changed at the end. A map, because a name may be `__proto__`. */
export type Thresholds = ReadonlyMap<string, Threshold>

const isProbability = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1

type Unknown = { [Name in keyof Band | keyof Floor]?: unknown }

function isThreshold(value: unknown): value is Threshold {
  if (typeof value !== "object" || value === null) return false
  const { low, high, confidence, model }: Unknown = value
  const isEnd = (end: unknown) => end === null || isProbability(end)
  const isInOrder = !isProbability(low) || !isProbability(high) || low <= high
  const isBand = isEnd(low) && isEnd(high) && isInOrder && confidence === undefined
  const isFloor = isProbability(confidence) && low === undefined && high === undefined
  return (isBand || isFloor) && typeof model === "string" && /^[\w.:-]{1,200}$/.test(model)
}

export const isBand = (threshold: Threshold | undefined): threshold is Band =>
  threshold !== undefined && "low" in threshold
export const isFloor = (threshold: Threshold | undefined): threshold is Floor =>
  threshold !== undefined && "confidence" in threshold

/** Returns whether a threshold can decide about answers of a question type: a question's type may have changed. */
const fitsType = (threshold: Threshold, type: QuestionTypeName): boolean =>
  automationOf(type)?.kind === (isBand(threshold) ? "band" : "floor")

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

export const acceptanceOf = (confidence: number, floor: { confidence: number }): "accept" | "review" =>
  confidence < floor.confidence ? "review" : "accept"

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
